import { type Money, formatMoney } from '../../domain/money';
import { type KeyPowers, ROLES, type Role, type Scope } from '../../ledger';
import { Problem } from '../http/problems';
import type { NeededScope } from '../http/caller';

/** Scopes whose purpose includes reading subscriptions. */
export const READS_SUBSCRIPTIONS = [
  'subscriptions:create',
  'subscriptions:steer',
  'refunds',
  'imports',
  'reports',
  'bulk',
  'notices',
  'attention',
] satisfies readonly Scope[];
/** Scopes whose purpose includes reading one-time payments. */
export const READS_PAYMENTS = [
  'payments:create',
  'payments:capture',
  'refunds',
  'reports',
  'notices',
  'attention',
] satisfies readonly Scope[];

/** Whether a key with role `held` has the powers of role `needed`: each role includes the lower ones. */
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

/** Whether the key sees e-mail addresses in full: viewers and keys with scopes need the scope `payers:read`. */
export function seesEmails({ role, scopes }: Pick<KeyPowers, 'role' | 'scopes'>): boolean {
  return scopes.length === 0 ? mayActAs(role, 'operator') : scopes.includes('payers:read');
}

/** Shows just enough to recognize the address: `a***@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return at < 1 ? '***' : `${first}***${email.slice(at)}`;
}

/** The role and scope that a call needs. */
export interface Needs {
  readonly role: Role;
  readonly scope: NeededScope;
}

/** The scopes of which a key needs one; or `any` or `whole`. */
export function describeScope(needed: NeededScope): readonly string[] {
  return needed === 'any' || needed === 'whole' ? [needed] : scopesOf(needed);
}

/** Whether {@link requirePowers} lets the key pass. */
export function mayDo({ role, scopes }: Pick<KeyPowers, 'role' | 'scopes'>, needs: Needs): boolean {
  return mayActAs(role, needs.role) && mayIn(scopes, needs.scope);
}

/** @param what the subject of the error message @throws Problem `forbidden` */
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

/** The powers of a key that is created or replaced. */
export type Grant = Pick<KeyPowers, 'role' | 'scopes' | 'refundPerDayAmount' | 'changePerCallAmount' | 'expiresRealAt'>;

/** The key that is used to create or replace a key. */
type GrantingKey = Grant & Pick<KeyPowers, 'name' | 'isBootstrap' | 'firstKeyId'>;

/**
 * A key cannot grant more than it has; otherwise its limits could be evaded with a new key. The expiry of the bootstrap key does not
 * count, because that key exists to create the first keys. @throws Problem `forbidden`
 */
function requireWithin(granting: GrantingKey, wanted: Grant): void {
  const endsAt = granting.isBootstrap ? null : granting.expiresRealAt;
  const beyond = [
    mayActAs(granting.role, wanted.role) ? null : 'role',
    mayGrantScopes(granting.scopes, wanted.scopes) ? null : 'scopes',
    isWithin(granting.refundPerDayAmount?.value, wanted.refundPerDayAmount?.value) ? null : 'limits.refundPerDay',
    isWithin(granting.changePerCallAmount?.value, wanted.changePerCallAmount?.value) ? null : 'limits.changePerCall',
    isWithin(endsAt, wanted.expiresRealAt) ? null : 'expiresAt',
  ].filter((each) => each !== null);
  if (beyond.length === 0) return;
  const detail = `The key "${granting.name}" cannot grant more than it has: ${beyond.join(', ')}.`;
  throw new Problem('forbidden', detail);
}

/**
 * Limits what a new key may do. A new key would restart the daily refund limit, so a key with that limit cannot create keys
 * that may refund. @throws Problem `forbidden`
 */
export function requireMayCreate(granting: GrantingKey, wanted: Grant): void {
  requireWithin(granting, wanted);
  if (granting.refundPerDayAmount === null || !mayIn(wanted.scopes, 'refunds')) return;
  const detail = `The key "${granting.name}" has a refund limit: it cannot create keys that may refund, and can rotate only itself.`;
  throw new Problem('forbidden', detail);
}

/**
 * Limits what a replacement key may do. If a key replaces itself, its daily refund limit continues; replacing another
 * key is like creating a new one. @throws Problem `forbidden`
 */
export function requireMayReplace(granting: GrantingKey, replaced: Grant & Pick<KeyPowers, 'firstKeyId'>): void {
  if (replaced.firstKeyId === granting.firstKeyId) requireWithin(granting, replaced);
  else requireMayCreate(granting, replaced);
}

function mayGrantScopes(held: readonly Scope[], wanted: readonly Scope[]): boolean {
  return held.length === 0 || (wanted.length > 0 && wanted.every((each) => held.includes(each)));
}

/** Null means no limit. */
function isWithin(held: number | null | undefined, wanted: number | null | undefined): boolean {
  return held == null || (wanted != null && wanted <= held);
}

/** @param cents by how much the call changes the amounts collected, up or down @throws Problem `limit_exceeded` */
export function requireChangeWithin({ name, changePerCallAmount: limit }: KeyPowers, cents: number): void {
  if (limit === null || cents <= limit.value) return;
  throw limitExceeded(name, 'changePerCall', limit, { value: cents, currency: 'EUR' });
}

/** @param asked what the call would amount to; for a daily limit, including earlier calls */
export function limitExceeded(
  name: string,
  limit: 'refundPerDay' | 'changePerCall',
  allowed: Money,
  asked: Money,
): Problem {
  const what = LIMITS[limit];
  const detail = `The key "${name}" may ${what} at most ${formatMoney(allowed)}; with this request it would be ${formatMoney(asked)}.`;
  return new Problem('limit_exceeded', detail, { limit, allowed, asked });
}

const LIMITS = { refundPerDay: 'refund in 24 hours', changePerCall: 'change in one call' };
