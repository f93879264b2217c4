import type { Credentials } from '../options';

/** What the contract of a merchant says beside the credentials. */
export interface MerchantTerms {
  /** Sandbox and production have separate credentials; this service is the sandbox. */
  readonly environment: 'sandbox' | 'production';
  readonly merchantCategoryCode?: string | undefined;
  readonly longCapturePermitted: boolean;
  readonly eventDependentRefunds: boolean;
  /** Addresses or CIDR subnets that may call; everybody where it is not set. */
  readonly allowList?: readonly string[] | undefined;
}

/** A merchant whom the operator knows. Payments are seen by their own merchant alone. */
export interface Merchant extends Credentials, MerchantTerms {
  readonly isAllowed: (address: string) => boolean;
}
