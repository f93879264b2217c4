import { randomBytes, randomUUID } from 'node:crypto';
import type { Credentials, Settings } from '../options';
import { Refusal } from '../refusal';
import { createAllowList, type Merchant, type MerchantTerms } from './merchant';
import { isSame } from './tokens';

export type Merchants = ReturnType<typeof createMerchants>;

/**
 * The known merchants: at first only that of the settings, listed again with its credentials for the other environment
 * if they are given.
 */
export function createMerchants(settings: Settings) {
  const { clientId, clientSecret, production } = settings;
  const { merchantCategoryCode, longCapturePermitted, eventDependentRefunds } = settings;
  const terms = { merchantCategoryCode, longCapturePermitted, eventDependentRefunds };
  const known: Merchant[] = [merchantOf({ clientId, clientSecret }, { ...terms, environment: 'sandbox' })];
  if (production !== undefined) known.push(merchantOf(production, { ...terms, environment: 'production' }));
  return {
    /** The merchant with these credentials, or null. */
    find: (given: Credentials) => known.find((merchant) => isSame(given, merchant)) ?? null,
    /** Finds a merchant by its id; by default the merchant of the settings. @throws Refusal NOT_FOUND */
    require: (id = clientId) => {
      const found = known.find((merchant) => merchant.clientId === id);
      if (found === undefined) throw new Refusal('NOT_FOUND', `there is no merchant ${id}`);
      return found;
    },
    /** Adds a merchant with new credentials. @throws RangeError for an invalid address in the allow list */
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
