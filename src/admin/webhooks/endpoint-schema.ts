import { z } from 'zod';
import { type DeliveryRecord, type EndpointRecord, ENV, MERCHANT_EVENTS } from '../../ledger';
import {
  checkSpan,
  InstantIn,
  InstantOut,
  leftOut,
  line,
  optionalBody,
  PAGE_FIELDS,
  wholeNumber,
} from '../http/fields';
import { TypePattern, TypesQuery } from './schema';

/** A URL without credentials, stored as a browser would write it; which schemes and addresses are taken, the deployment says. */
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
  .meta({ id: 'CreateWebhookEndpoint', description: 'The URL of the endpoint, and the types of events it receives.' });

export const ChangeEndpoint = z
  .strictObject(fields)
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'one field or more')
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
    .meta({ id: 'RotateWebhookSecret', description: 'For how long the old secret also signs.' }),
);
export const TestBody = optionalBody(
  z
    .strictObject({
      type: z.enum(MERCHANT_EVENTS as [string, ...string[]], 'a type of event').default('endpoint.test'),
    })
    .meta({ id: 'TestWebhookEndpoint', description: 'The type of the sample.' }),
);
export const ReplayBody = z
  .strictObject({
    since: InstantIn,
    until: InstantIn.optional(),
    types: z.array(TypePattern).min(1).max(100).optional(),
    onlyFailed: z.boolean().default(false),
  })
  .superRefine((body, context) => checkSpan(body, ['since', 'until'], context))
  .meta({ id: 'ReplayEvents', description: 'The period, in business time, of which the events are sent again.' });
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
    disabledReason: leftOut(z.enum(['asked_for', 'gone', 'failing'])),
    failingSince: leftOut(InstantOut).meta({
      description: 'In real time; the first failed try since the last delivery',
    }),
    readOnly: z.boolean().meta({ description: 'Of the environment: EVENT_WEBHOOK_URL' }),
    createdAt: InstantOut.meta({ description: 'In real time' }),
    warnings: leftOut(z.array(z.string())).meta({ description: 'Of the call that created or changed it' }),
  })
  .meta({ id: 'WebhookEndpoint', description: 'An endpoint that receives events.' });

/** The answers that show the secret, this once. */
export const NewSecretOut = EndpointOut.extend({ secret: z.string() }).meta({
  id: 'NewWebhookSecret',
  description: 'The endpoint with its secret, which is shown this once.',
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
        : [`Each event is posted to this URL more than once: ${sameUrl.join(', ')} has it too.`],
  };
}

export const QueuedOut = z
  .object({ eventId: z.string(), endpointId: z.string(), deliveryId: z.int() })
  .meta({ id: 'QueuedDelivery', description: 'The delivery is queued, and is sent in the background.' });

export const DeliveriesQuery = z
  .strictObject({
    ...PAGE_FIELDS,
    state: z.enum(['pending', 'delivered', 'dead']).optional(),
    type: TypesQuery.optional(),
    status: wholeNumber(100, 599).optional(),
    from: InstantIn.optional(),
    to: InstantIn.optional(),
  })
  .superRefine((query, context) => checkSpan(query, ['from', 'to'], context));

export const DeliveryOut = z
  .object({
    deliveryId: z.int(),
    eventId: z.string(),
    type: z.string(),
    state: z.enum(['pending', 'delivered', 'dead']),
    test: z.boolean().meta({ description: 'A sample, which no list of events has and nothing sends again' }),
    again: z.boolean().meta({ description: 'A replay or a resend' }),
    createdAt: InstantOut,
    endedAt: leftOut(InstantOut),
    nextTryAt: leftOut(InstantOut),
    waitingFor: leftOut(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('endpoint') }),
        z.object({ kind: z.literal('event'), eventId: z.string() }),
        z.object({ kind: z.literal('time'), until: InstantOut }),
      ]),
    ).meta({
      description:
        'Why it is not sent yet: its endpoint is disabled, another event of its subject comes first, or its time has not come; left out if it is due',
    }),
    tries: z.array(
      z.object({
        at: InstantOut,
        status: z.int().nullable(),
        ms: z.int(),
        error: z.string().nullable(),
        answer: z.string().nullish().meta({ description: 'The first 2 kB, for 7 days; for admins' }),
      }),
    ),
  })
  .meta({
    id: 'WebhookDelivery',
    description: 'The delivery of one event to one endpoint; all its instants are real time.',
  });

/** @param isAdmin whether answers are shown */
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
