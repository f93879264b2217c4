/** Ids are branded, so that one kind is never used as another. They are created from validated text at the edges of the program. */
export type SubscriptionId = string & { readonly __id: 'subscription' };
export type PaymentId = string & { readonly __id: 'payment' };
export type AuthorizationId = string & { readonly __id: 'authorization' };
export type CaptureId = string & { readonly __id: 'capture' };
export type NoticeId = string & { readonly __id: 'notice' };
/** A capture or refund ordered here; the service assigns another id to the record it creates. */
export type OrderId = string & { readonly __id: 'order' };
