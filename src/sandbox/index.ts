export type { Debit, PaymentAccount } from './accounts';
export { BREAKABLE_RULES, type BreakableRule, isBreakableRule } from './broken-rules';
export type { FaultKind, FaultSpec } from './faults';
export type { Credentials, SandboxOptions } from './options';
export { createSandbox, type Payer, type Sandbox } from './server';
