export { type Priority, type CallRate, type CallTimes, createCallRate, type Turn } from './call-rate';
export type { CircuitState } from './circuit-breaker';
export type { CallReport, Operation } from './caller';
export { createPaymentService, type PaymentServiceOptions } from './client';
export type * from './records';
export type { CaptureOrder, PaymentService, RefundOrder, SendOptions } from './payment-service';
export type { Accepted, CallOutcome, Failure, NotSent, Rejected, ServiceResult, Unknown } from './answer';
export type { Spellings } from './spellings';
