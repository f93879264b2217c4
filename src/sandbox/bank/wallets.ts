/** Why a request failed: the wire's code and a sentence. */
export interface Rejection {
  readonly detail: string;
  readonly description: string;
}

type Behaviour = Omit<Wallet, 'hint' | 'auto' | 'upperCase'>;

/** The meaning of a wallet, and how it differs from `approves`. `n`: the number in its name. */
type Kind = readonly [meaning: string, behaves: (n: number) => Partial<Behaviour>];

/**
 * Wallets behave as their names say, like test cards. One is chosen on the payer page, or beforehand by the local part of
 * billingAddress.email (or by billingAddress.name): `wallet+<name>[+auto][+upper]@…`. `auto`: the wallet decides on the
 * consent by itself after a short time. `upper`: responses about this payment have status results in upper case.
 * `<n>` in a name is a number: `cancels-after-3`.
 */
export const WALLETS: Readonly<Record<string, Kind>> = {
  approves: ['Approves, and pays every time', () => ({})],
  declines: ['Declines the consent', () => ({ consent: 'decline' })],
  aborts: ['Aborts the consent', () => ({ consent: 'abort' })],
  'never-answers': ['Never answers: the consent stays pending until the session ends', () => ({ consent: 'none' })],
  'insufficient-funds-once': ['Insufficient funds at the first attempt; may be retried', () => rejects(1)],
  'insufficient-funds-<n>': ['Insufficient funds at the first n attempts; may be retried', (n) => rejects(n)],
  'insufficient-funds-always': ['Insufficient funds at every attempt; may be retried', () => rejects(Infinity)],
  'rejected-late-once': [
    'The first attempt is accepted and rejected only later; may be retried',
    () => rejects(1, RETRYABLE, 'later'),
  ],
  'rejected-with-id-once': [
    'The first attempt is rejected in a response with its authorization; may be retried',
    () => rejects(1, RETRYABLE, 'authorization'),
  ],
  'final-rejection': ['The bank rejects every attempt for good', () => rejects(Infinity, FINAL)],
  slow: ['Pays, but every booking stays pending for a long time', () => ({ bookingDelay: 'slow' })],
  'slow-<n>': ['Pays, but every booking stays pending for n real seconds', (n) => ({ bookingDelay: n * 1000 })],
  'cancels-after-<n>': ['The payer cancels at the bank after n successful payments', (n) => ({ cancelsAfter: n })],
  'capture-fails': ['Authorizations succeed, captures fail', () => ({ captureFails: true })],
  'refund-fails': ['Pays, but refunds fail', () => ({ refundFails: true })],
};

export const NO_SUCH_WALLET = `no such wallet; expected one of ${Object.keys(WALLETS).join(', ')}`;

export const RETRYABLE: Rejection = {
  detail: 'AUTHORIZATION_REJECTION_RETRYABLE',
  description: "The payer's bank rejected the payment. Contact the payer before retrying.",
};
const FINAL: Rejection = {
  detail: 'AUTHORIZATION_REJECTION_FINAL',
  description: "The payer's bank rejected the payment for good.",
};

/** Rejections to come, and where the merchant sees them: in a Failure, in the authorization at once, or in a later GET. */
interface ComingRejections {
  readonly rejection: Rejection;
  readonly shown: 'failure' | 'authorization' | 'later';
  left: number;
}

export interface Wallet {
  /** The wallet hint as it was given, with its modifiers. */
  readonly hint: string;
  readonly consent: 'approve' | 'decline' | 'abort' | 'none';
  readonly auto: boolean;
  readonly upperCase: boolean;
  readonly rejections: ComingRejections | null;
  /** Real ms; `slow` is the configured slow delay; null for the usual delay. */
  readonly bookingDelay: number | 'slow' | null;
  readonly cancelsAfter: number | null;
  readonly captureFails: boolean;
  readonly refundFails: boolean;
}

const PLAIN: Behaviour = {
  consent: 'approve',
  rejections: null,
  bookingDelay: null,
  cancelsAfter: null,
  captureFails: false,
  refundFails: false,
};

function rejects(
  left: number,
  rejection = RETRYABLE,
  shown: ComingRejections['shown'] = 'failure',
): Partial<Behaviour> {
  return { rejections: { rejection, shown, left } };
}

function behaviourOf(name: string): Behaviour | null {
  const [, stem, digits] = /^(.+)-(\d{1,6})$/.exec(name) ?? [];
  const kind = stem === undefined ? name : `${stem}-<n>`;
  const wallet = Object.hasOwn(WALLETS, kind) ? WALLETS[kind] : undefined;
  // The literal name from the table has no number.
  if (wallet === undefined || name.endsWith('<n>')) return null;
  return { ...PLAIN, ...wallet[1](Number(digits)) };
}

/** Parses `insufficient-funds-once+auto`; null if there is no such wallet or modifier. */
export function parseWallet(hint: string): Wallet | null {
  const [name = '', ...modifiers] = hint.toLowerCase().split('+');
  const behaviour = behaviourOf(name);
  if (behaviour === null || modifiers.some((one) => one !== 'auto' && one !== 'upper')) return null;
  return { ...behaviour, hint, auto: modifiers.includes('auto'), upperCase: modifiers.includes('upper') };
}

/** The hint in an e-mail address or a name, or null: `slow` in `wallet+slow@example.test`. */
export function walletHintIn(text: string | undefined): string | null {
  return /^wallet\+([^@\s]+)(?:@.*)?$/i.exec(text ?? '')?.[1] ?? null;
}

/** Takes one of the coming rejections, if any are left. */
export function takeRejection(wallet: Wallet): Pick<ComingRejections, 'rejection' | 'shown'> | null {
  if (wallet.rejections === null || wallet.rejections.left === 0) return null;
  wallet.rejections.left -= 1;
  return wallet.rejections;
}
