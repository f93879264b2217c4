import { z } from 'zod';
import { type DeliveryRecord, type EndpointRecord, ENV, MERCHANT_EVENTS } from '../../ledger';
import { checkPeriod, InstantIn, InstantOut, omitNull, line, PAGE_FIELDS, wholeNumber } from '../http/fields';
import { MerchantEventOut, TypePattern, TypesQuery } from './schema';
import { optionalBody } from '../http/bodies';

/** A URL without credentials, stored in normalized form. The deployment determines the allowed schemes and addresses. */
const EndpointUrl = z
  .string()
  .max(2_048)
  .refine(isPlainUrl, 'an http or https URL without credentials and fragment, such as https://shop.example/events')
  .overwrite((text) => (URL.canParse(text) ? new URL(text).href : text));

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === '';
}

const fields = {
  url: EndpointUrl,
  types: z.array(TypePattern).min(1).max(100),
  description: line(200).nullable(),
  enabled: z.boolean(),
};

export const CreateEndpoint = z
  .strictObject({ ...fields, description: line(200).optional(), enabled: z.boolean().default(true) })
  .meta({ id: 'CreateWebhookEndpoint', description: 'The URL of the endpoint, and the event types it receives.' });

export const ChangeEndpoint = z
  .strictObject(fields)
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'at least one field')
  .meta({ id: 'ChangeWebhookEndpoint', description: 'The fields to change.' });

export const EndpointParams = z.object({
  id: z.string().regex(/^(env|whe_[\da-f]{32})$/, '`env`, or whe_ and 32 hexadecimal digits'),
});
export const EventParams = z.object({
  id: z.string().regex(/^evt_[\da-f]{32}$/, 'evt_ and 32 hexadecimal digits'),
});

export const RotateBody = optionalBody(
  z
    .strictObject({ overlapHours: z.number().min(0).max(720).default(24) })
    .meta({ id: 'RotateWebhookSecret', description: 'For how long the old secret is also used to sign.' }),
);
export const TestBody = optionalBody(
  z
    .strictObject({
      type: z.enum(MERCHANT_EVENTS as [string, ...string[]], 'an event type').default('endpoint.test'),
    })
    .meta({ id: 'TestWebhookEndpoint', description: 'The type of the sample event.' }),
);
export const ReplayBody = z
  .strictObject({
    since: InstantIn,
    until: InstantIn.optional(),
    types: z.array(TypePattern).min(1).max(100).optional(),
    onlyFailed: z.boolean().default(false),
    dryRun: z.boolean().default(false).meta({ description: 'Only counts the events, and sends none' }),
  })
  .superRefine((body, context) => checkPeriod(body, ['since', 'until'], context))
  .meta({ id: 'ReplayEvents', description: 'The period, in business time, whose events are sent again.' });
export const ReplayCountOut = z
  .object({ total: z.int().min(0).meta({ description: 'Events that would be sent if the replay were started now' }) })
  .meta({ id: 'ReplayCount', description: 'What a replay would send.' });
export const ResendBody = z
  .strictObject({ endpointId: EndpointParams.shape.id })
  .meta({ id: 'ResendEvent', description: 'The endpoint to which the event is sent again.' });

export const EndpointOut = z
  .object({
    endpointId: z.string(),
    url: z.string(),
    types: z.array(z.string()),
    description: z.string().nullable(),
    enabled: z.boolean(),
    disabledReason: omitNull(z.enum(['disabled_by_admin', 'gone', 'failing'])),
    failingSince: omitNull(InstantOut).meta({
      description: 'In real time: the first failed try since the last delivery',
    }),
    readOnly: z.boolean().meta({ description: 'True for the endpoint configured as EVENT_WEBHOOK_URL' }),
    createdAt: InstantOut.meta({ description: 'In real time' }),
    warnings: omitNull(z.array(z.string())).meta({
      description: 'Only in the response to a call that creates or changes the endpoint: what may be a mistake',
    }),
  })
  .meta({ id: 'WebhookEndpoint', description: 'An endpoint that receives events.' });

/** The only responses that contain the secret. */
export const NewSecretOut = EndpointOut.extend({ secret: z.string() }).meta({
  id: 'NewWebhookSecret',
  description: 'The endpoint with its secret, which is shown only once.',
});

/** @param sameUrl other endpoints with its URL */
export function viewEndpoint(
  record: EndpointRecord,
  envUrl: string | null,
  sameUrl: readonly string[] = [],
): z.output<typeof EndpointOut> {
  return {
    ...record,
    url: record.url ?? envUrl ?? '',
    types: [...record.types],
    failingSince: record.failingSinceReal,
    readOnly: record.endpointId === ENV,
    createdAt: record.createdRealAt,
    warnings:
      sameUrl.length === 0
        ? null
        : [
            `Each event is posted to this URL more than once: ${sameUrl.join(', ')} also ${sameUrl.length === 1 ? 'uses' : 'use'} it.`,
          ],
  };
}

export const QueuedOut = z
  .object({ eventId: z.string(), endpointId: z.string(), deliveryId: z.int() })
  .meta({ id: 'QueuedDelivery', description: 'The delivery was queued and is sent in the background.' });

export const DeliveriesQuery = z
  .strictObject({
    ...PAGE_FIELDS,
    state: z.enum(['pending', 'delivered', 'dead']).optional(),
    type: TypesQuery.optional(),
    status: wholeNumber(100, 599)
      .optional()
      .meta({ description: 'Only deliveries whose last try was answered with this HTTP status' }),
    from: InstantIn.optional().meta({ description: 'Only deliveries created at or after this real time' }),
    to: InstantIn.optional().meta({ description: 'Only deliveries created before this real time' }),
  })
  .superRefine((query, context) => checkPeriod(query, ['from', 'to'], context));

export const DeliveryOut = z
  .object({
    deliveryId: z.int(),
    endpointId: z.string(),
    eventId: z.string(),
    type: z.string(),
    state: z.enum(['pending', 'delivered', 'dead']),
    test: z
      .boolean()
      .meta({ description: 'Whether the event is a sample, which is in no list of events and is never sent again' }),
    again: z.boolean().meta({ description: 'Whether this delivery is a replay or a resend' }),
    createdAt: InstantOut,
    endedAt: omitNull(InstantOut),
    nextTryAt: omitNull(InstantOut).meta({
      description:
        'The earliest time of the next try. In the past if the delivery is due and only waits for what waitingFor names, or for one of the posts to this endpoint that are in progress',
    }),
    waitingFor: omitNull(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('endpoint') }),
        z.object({ kind: z.literal('event'), eventId: z.string() }),
        z.object({ kind: z.literal('time'), until: InstantOut }),
      ]),
    ).meta({
      description:
        'Why the event has not been sent yet: the endpoint is disabled, another event of the same subject must be delivered first, or the time of the next try has not come; omitted if the delivery is due',
    }),
    tries: z.array(
      z.object({
        at: InstantOut,
        status: z.int().nullable(),
        ms: z.int(),
        error: z.string().nullable(),
        answer: z
          .string()
          .nullish()
          .meta({ description: 'The first 2 kB of the response, stored for 7 days; only for admins' }),
      }),
    ),
  })
  .meta({
    id: 'WebhookDelivery',
    description: 'The delivery of one event to one endpoint; all times are real time.',
  });

export const EventWithDeliveriesOut = MerchantEventOut.extend({
  deliveries: z.array(DeliveryOut).meta({ description: 'Newest first, at most 200' }),
}).meta({ id: 'EventWithDeliveries', description: 'An event as it is posted to endpoints, and its deliveries.' });

/** @param isAdmin whether the endpoint's responses are shown */
export function viewDelivery(record: DeliveryRecord, isAdmin: boolean): z.output<typeof DeliveryOut> {
  return {
    ...record,
    test: record.isTest,
    createdAt: record.createdRealAt,
    endedAt: record.endedRealAt,
    nextTryAt: record.state === 'pending' ? record.nextTryRealAt : null,
    tries: record.tries.map(({ answer, ...made }) => (isAdmin ? { ...made, answer } : made)),
  };
}
