export type { Debit, PaymentAccount } from './bank/accounts';
export { BREAKABLE_RULES, type BreakableRule, isBreakableRule } from './faults/broken-rules';
export type { FaultKind, FaultSpec } from './faults/faults';
export type { Credentials, SandboxOptions } from './options';
export { createSandbox, type Payer, type Sandbox } from './server';
