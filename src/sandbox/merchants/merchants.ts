import { randomBytes, randomUUID } from 'node:crypto';
import type { Credentials, Settings } from '../options';
import { Refusal } from '../refusal';
import { createAllowList, type Merchant, type MerchantTerms } from './merchant';
import { isSame } from './tokens';

export type Merchants = ReturnType<typeof createMerchants>;

/** The one the service was set up with, and its credentials of the other environment where these are known. */
export function createMerchants(settings: Settings) {
  const { clientId, clientSecret, production } = settings;
  const { merchantCategoryCode, longCapturePermitted, eventDependentRefunds } = settings;
  const terms = { merchantCategoryCode, longCapturePermitted, eventDependentRefunds };
  const known: Merchant[] = [merchantOf({ clientId, clientSecret }, { ...terms, environment: 'sandbox' })];
  if (production !== undefined) known.push(merchantOf(production, { ...terms, environment: 'production' }));
  return {
    /** Whose credentials these are, or null. */
    find: (given: Credentials) => known.find((merchant) => isSame(given, merchant)) ?? null,
    /** By its id; without one, the merchant that the service was set up with. @throws Refusal NOT_FOUND */
    require: (id = clientId) => {
      const found = known.find((merchant) => merchant.clientId === id);
      if (found === undefined) throw new Refusal('NOT_FOUND', `there is no merchant ${id}`);
      return found;
    },
    /** Another merchant, with credentials of its own. @throws RangeError for an allow list that names no address */
    add: (added: MerchantTerms) => {
      const credentials = { clientId: `merchant-${randomUUID()}`, clientSecret: randomBytes(24).toString('base64url') };
      const merchant = merchantOf(credentials, added);
      known.push(merchant);
      return merchant;
    },
  };
}

function merchantOf({ clientId, clientSecret }: Credentials, terms: MerchantTerms): Merchant {
  return { ...terms, clientId, clientSecret, isAllowed: createAllowList(terms.allowList) };
}
