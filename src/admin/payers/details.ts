import { z } from 'zod';
import { LANGUAGES } from '../../contract/notices';
import type { KeyPowers, PayerDetails } from '../../ledger';
import { maskEmail, seesEmails } from '../access/powers';
import { omitNull } from '../http/fields';

const MASKED = 'for viewers without scopes, and for keys with scopes that do not include payers:read';

/** The payer of a subscription, a payment, or what concerns one; empty once erased. */
export const PayerOut = z
  .object({
    name: omitNull(z.string()).meta({ description: `Omitted ${MASKED}` }),
    email: omitNull(z.string()).meta({ description: `Masked (a***@example.com) ${MASKED}` }),
    reference: omitNull(z.string()).meta({ description: 'As given by the merchant' }),
    language: omitNull(z.enum(LANGUAGES)).meta({ description: 'Language of messages to the payer' }),
  })
  .meta({ id: 'Payer', description: 'The payer, as far as the key may read personal data; empty once erased.' });

/** The payer as the API shows it to this caller. */
export function viewPayer(payer: PayerDetails, caller: Pick<KeyPowers, 'role' | 'scopes'>): z.output<typeof PayerOut> {
  const { name, email, reference, language } = payer;
  if (seesEmails(caller)) return { name, email, reference, language };
  return { name: null, email: email === null ? null : maskEmail(email), reference, language };
}
