/** Ids are branded, so that one kind never stands for another. Made from checked text at the edges. */
export type SubscriptionId = string & { readonly __id: 'subscription' };
export type PaymentId = string & { readonly __id: 'payment' };
export type AuthorizationId = string & { readonly __id: 'authorization' };
export type CaptureId = string & { readonly __id: 'capture' };
export type NoticeId = string & { readonly __id: 'notice' };
/** Of a capture or a refund ordered here; the service has its own id for the record it creates. */
export type OrderId = string & { readonly __id: 'order' };
