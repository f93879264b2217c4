export { mapAnswer, type Rejected, type ServiceResult } from './answer';
export { type CallTimes, createCallRate, type Turn } from './call-rate';
export type { CircuitState } from './circuit-breaker';
export { createPaymentService, type PaymentServiceOptions } from './client';
export { readHttpDate } from './http-exchange';
export type {
  Authorization,
  AuthorizationStatus,
  Capture,
  Consent,
  PaymentRequest,
  PaymentService,
  Refund,
  SendOptions,
} from './payment-service';
