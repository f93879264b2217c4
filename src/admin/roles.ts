import { ROLES, type Role } from '../ledger';

/** Whether a key of role `held` may do what role `needed` may: each role may do what the smaller ones may. */
export function mayActAs(held: Role, needed: Role): boolean {
  return ROLES.indexOf(held) >= ROLES.indexOf(needed);
}
