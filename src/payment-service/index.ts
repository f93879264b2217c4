export { mapAnswer, type ServiceResult, unknown } from './answer';
export { createCallRate, type Reservation } from './call-rate';
export type { CallShare } from './permits';
export type { CircuitState } from './circuit-breaker';
export { createPaymentService, type PaymentServiceOptions, tokenUrlOf } from './client';
export { readHttpDate } from './http-exchange';
export type { PaymentRequest, PaymentService, RefundOrder, SendOptions } from './payment-service';
export type { Authorization, Capture, Consent, Refund } from './records';
