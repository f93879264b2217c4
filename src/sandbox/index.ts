export type { Debit, PaymentAccount } from './accounts';
export type { FaultKind, FaultSpec } from './faults';
export type { Credentials, SandboxOptions } from './options';
export { createSandbox, type Payer, type Sandbox } from './server';
