import type { components, operations } from '../../../client/api';

type Schemas = components['schemas'];

export type Subscription = Schemas['Subscription'];
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
export type Approval = Schemas['Approval'];
export type Key = Schemas['Key'];
export type Forecast = Omit<Schemas['ForecastReport'], 'nextCursor'>;
export type Recovery = Omit<Schemas['RecoveryReport'], 'nextCursor'>;
export type Hold = Schemas['Hold'];
export type Job = Schemas['Job'];
export type BulkAction = NonNullable<Schemas['Bulk']['action']>;
export type BulkDryRun = Schemas['BulkDryRun'];
export type BulkResult = Schemas['BulkResult'];

/** A page of a list in the API. */
export interface PageOf<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** Query parameters of a list. Values of an address are not checked here; the API reports invalid ones. */
export type QueryOf<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;
