import type { components, operations } from '../../../client/api';

type Schemas = components['schemas'];

export type Subscription = Schemas['Subscription'];
export type SubscriptionsReport = Schemas['SubscriptionsReport'];
export type Cycle = Schemas['Cycle'];
export type Attempt = Schemas['Attempt'];
export type ScheduledCycle = Schemas['ScheduledCycle'];
export type Deadline = Schemas['Deadline'];
export type TodayReport = Schemas['TodayReport'];
export type Collections = Schemas['CollectionsReport'];
export type RecommendedCall = Schemas['RecommendedCall'];
export type Notice = Schemas['Notice'];
export type AuditEntry = Schemas['AuditEntry'];
export type Attention = Schemas['Attention'];
export type Payment = Schemas['MerchantPayment'];
export type Transaction = Schemas['Transaction'];
export type AmountChange = Schemas['AmountChange'];
export type Endpoint = Schemas['WebhookEndpoint'];
export type Delivery = Schemas['WebhookDelivery'];
export type DeliveriesReport = Schemas['DeliveriesReport'];
export type MerchantEvent = Schemas['MerchantEvent'];
export type EventWithDeliveries = Schemas['EventWithDeliveries'];
export type NoticePreview = Schemas['NoticePreview'];
export type Approval = Schemas['Approval'];
export type Key = Schemas['Key'];
export type Forecast = Omit<Schemas['ForecastReport'], 'nextCursor'>;
export type Recovery = Omit<Schemas['RecoveryReport'], 'nextCursor'>;
export type RetryAdvice = Schemas['RetryAdvice'];
export type Hold = Schemas['Hold'];
export type Job = Schemas['Job'];
export type Difference = Schemas['ReconciliationDifference'];
export type ReconciliationReport = Schemas['ReconciliationReport'];
export type BulkAction = NonNullable<Schemas['Bulk']['action']>;
/** A filter of the list of subscriptions, or some of its rows. */
export type BulkFilter = NonNullable<Schemas['Bulk']['filter']>;
export type BulkDryRun = Schemas['BulkDryRun'];
export type BulkResult = Schemas['BulkResult'];

/** A page of a list in the API. */
export interface PageOf<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** Query parameters of a list. Values of an address are not checked here; the API reports invalid ones. */
export type QueryOf<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;
