/** The admin API: what merchants' systems and staff call. */
export { createAdmin } from './app';
export type { AdminDeps, Policy, Probe } from './dependencies';
export { issueKey, type KeyAct, withdrawKey } from './keys/key-ring';
