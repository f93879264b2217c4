export type { Debit, PaymentAccount } from './bank/accounts';
export { BREAKABLE_RULES, type BreakableRule, isBreakableRule } from './faults/broken-rules';
export type { ContradictionOrder } from './faults/contradictions';
export { parseContradiction } from './faults/contradiction-text';
export type { FaultSpec } from './faults/faults';
export { sandboxOptions, type SandboxOptions } from './options';
export { Refusal } from './refusal';
export { createSandbox, type Sandbox } from './server';
