import { type Money, formatMoney } from '../../domain/money';
import { type KeyPowers, ROLES, type Role, type Scope } from '../../ledger';
import { Problem } from '../http/problems';
import type { NeededScope } from '../http/caller';

/** Scopes whose holder looks at subscriptions, or at payments, for what the scope is for. */
export const READS_SUBSCRIPTIONS = [
  ...(['subscriptions:create', 'subscriptions:steer', 'refunds', 'imports', 'reports'] as const),
  ...(['bulk', 'notices', 'attention'] as const),
] satisfies readonly Scope[];
export const READS_PAYMENTS = [
  ...(['payments:create', 'payments:capture', 'refunds', 'reports', 'notices', 'attention'] as const),
] satisfies readonly Scope[];

/** Whether a key of role `held` may do what role `needed` may: each role may do what the smaller ones may. */
export function mayActAs(held: Role, needed: Role): boolean {
  return ROLES.indexOf(held) >= ROLES.indexOf(needed);
}

function mayIn(held: readonly Scope[], needed: NeededScope): boolean {
  if (held.length === 0 || needed === 'any') return true;
  return needed !== 'whole' && scopesOf(needed).some((each) => held.includes(each));
}

function scopesOf(needed: Scope | readonly Scope[]): readonly Scope[] {
  return typeof needed === 'string' ? [needed] : needed;
}

/** Whether its holder sees e-mails whole: a viewer, and a holder of scopes, only with the one for it. */
export function seesEmails({ role, scopes }: Pick<KeyPowers, 'role' | 'scopes'>): boolean {
  return scopes.length === 0 ? mayActAs(role, 'operator') : scopes.includes('payers:read');
}

/** Of an e-mail what tells a person whether it is the right one, and no more: `a***@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return at < 1 ? '***' : `${first}***${email.slice(at)}`;
}

/** What a call needs. */
export interface Needs {
  readonly role: Role;
  readonly scope: NeededScope;
}

/** Scopes of which a key needs one, `any` or `whole`. */
export function describeScope(needed: NeededScope): readonly string[] {
  return needed === 'any' || needed === 'whole' ? [needed] : scopesOf(needed);
}

/** What {@link requirePowers} requires. */
export function mayDo({ role, scopes }: Pick<KeyPowers, 'role' | 'scopes'>, needs: Needs): boolean {
  return mayActAs(role, needs.role) && mayIn(scopes, needs.scope);
}

/** @param what begins the answer @throws Problem `forbidden` */
export function requirePowers(
  { name, role, scopes }: Pick<KeyPowers, 'name' | 'role' | 'scopes'>,
  needs: Needs,
  what = 'This call',
): void {
  if (!mayActAs(role, needs.role))
    throw new Problem('forbidden', `${what} needs the role ${needs.role}; the key "${name}" has ${role}.`);
  if (mayIn(scopes, needs.scope)) return;
  const wanted =
    needs.scope === 'whole' || needs.scope === 'any'
      ? 'a key without scopes'
      : `the scope ${scopesOf(needs.scope).join(' or ')}`;
  throw new Problem('forbidden', `${what} needs ${wanted}; the key "${name}" has ${scopes.join(', ')}.`);
}

/** What a key gives away when it makes or replaces another one. */
export type Grant = Pick<KeyPowers, 'role' | 'scopes' | 'refundPerDayAmount' | 'changePerCallAmount' | 'expiresRealAt'>;

/** Who gives it away. */
type Holder = Grant & Pick<KeyPowers, 'name' | 'isBootstrap' | 'firstKeyId'>;

/**
 * No holder gives or gets what their key has not: else any limit ends with the next key. The end of the bootstrap key is
 * no limit: it is there to make the first keys. @throws Problem `forbidden`
 */
function requireWithin(holder: Holder, wanted: Grant): void {
  const endsAt = holder.isBootstrap ? null : holder.expiresRealAt;
  const beyond = [
    mayActAs(holder.role, wanted.role) ? null : 'role',
    mayGrantScopes(holder.scopes, wanted.scopes) ? null : 'scopes',
    isWithin(holder.refundPerDayAmount?.value, wanted.refundPerDayAmount?.value) ? null : 'limits.refundPerDay',
    isWithin(holder.changePerCallAmount?.value, wanted.changePerCallAmount?.value) ? null : 'limits.changePerCall',
    isWithin(endsAt, wanted.expiresRealAt) ? null : 'expiresAt',
  ].filter((each) => each !== null);
  if (beyond.length === 0) return;
  const detail = `The key "${holder.name}" may not give more than it has: ${beyond.join(', ')}.`;
  throw new Problem('forbidden', detail);
}

/**
 * What a new key may do. A day's refunds would begin anew with each: a key that is limited in them makes none that
 * refunds. @throws Problem `forbidden`
 */
export function requireMayMake(holder: Holder, wanted: Grant): void {
  requireWithin(holder, wanted);
  if (holder.refundPerDayAmount === null || !mayIn(wanted.scopes, 'refunds')) return;
  const detail = `The key "${holder.name}" is limited in what it refunds: it makes no key that refunds, and rotates none but its own.`;
  throw new Problem('forbidden', detail);
}

/**
 * What a key may do that comes in place of another one. In its own line a day's refunds go on; one of another line is as
 * good as new to who replaces it. @throws Problem `forbidden`
 */
export function requireMayReplace(holder: Holder, replaced: Grant & Pick<KeyPowers, 'firstKeyId'>): void {
  if (replaced.firstKeyId === holder.firstKeyId) requireWithin(holder, replaced);
  else requireMayMake(holder, replaced);
}

function mayGrantScopes(held: readonly Scope[], wanted: readonly Scope[]): boolean {
  return held.length === 0 || (wanted.length > 0 && wanted.every((each) => held.includes(each)));
}

/** Null is without limit. */
function isWithin(held: number | null | undefined, wanted: number | null | undefined): boolean {
  return held == null || (wanted != null && wanted <= held);
}

/** @param cents by how much a call changes what is collected, whichever way @throws Problem `limit_exceeded` */
export function requireChangeWithin({ name, changePerCallAmount: limit }: KeyPowers, cents: number): void {
  if (limit === null || cents <= limit.value) return;
  throw limitExceeded(name, 'changePerCall', limit, { value: cents, currency: 'EUR' });
}

/** @param asked what the call would come to, with what came before where the limit is of a day */
export function limitExceeded(
  name: string,
  limit: 'refundPerDay' | 'changePerCall',
  allowed: Money,
  asked: Money,
): Problem {
  const what = LIMITS[limit];
  const detail = `The key "${name}" may ${what} ${formatMoney(allowed)} at most; with this it would be ${formatMoney(asked)}.`;
  return new Problem('limit_exceeded', detail, { limit, allowed, asked });
}

const LIMITS = { refundPerDay: 'refund in 24 hours', changePerCall: 'change in one call' };
