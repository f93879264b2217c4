export type { ServiceResult } from './answer';
export { type CallTimes, createCallRate, type Turn } from './call-rate';
export type { CircuitState } from './circuit-breaker';
export { createPaymentService, type PaymentServiceOptions } from './client';
export type { PaymentService, SendOptions } from './payment-service';
export type { Authorization, AuthorizationStatus, Capture, Consent, PaymentRequest, Refund } from './records';
