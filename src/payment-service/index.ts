export type { CircuitState } from './circuit-breaker';
export type { CallReport, Operation } from './caller';
export { createPaymentService, type PaymentServiceOptions } from './create-payment-service';
export type * from './payment-request';
export type { CaptureOrder, PaymentService, RefundOrder, SendOptions } from './payment-service';
export type * from './records';
export type { Accepted, CallOutcome, Failure, NotSent, Rejected, ServiceResult, Unknown } from './service-result';
export type { Spellings } from './spellings';
