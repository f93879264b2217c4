import { z } from 'zod';
import { Reason } from './fields';
import { invalidRequest } from './problems';

/** Bodies shared by many calls. */

/**
 * A body that may be omitted: its fields then have their defaults. In that case Fastify passes null to the schema.
 */
export function optionalBody<Body extends z.ZodObject>(body: Body) {
  return z.preprocess((given) => given ?? {}, body);
}

export const ReasonBody = optionalBody(
  z
    .strictObject({ reason: Reason.optional() })
    .meta({ id: 'OptionalReason', description: 'The reason for this request, for the audit log.' }),
);
export const EmptyBody = optionalBody(
  z.strictObject({}).meta({ id: 'NoFields', description: 'An object without fields.' }),
);
/** The body of calls whose audit entry must have a reason. */
export const RequiredReasonBody = z
  .strictObject({ reason: Reason })
  .meta({ id: 'RequiredReason', description: 'The reason for this request, for the audit log.' });

interface WithReason {
  readonly reason?: string | undefined;
}

/**
 * The reason of a DELETE request, from the query or the body, because not every client can send a body with DELETE.
 * @throws Problem if both are given and differ
 */
export function reasonOf({
  query,
  body,
}: {
  readonly query: WithReason;
  readonly body?: WithReason | null;
}): string | undefined {
  const [first, second] = [query.reason, body?.reason];
  if (first !== undefined && second !== undefined && first !== second)
    throw invalidRequest([
      { path: 'reason', message: 'expected the same reason in query and body; got two different ones' },
    ]);
  return first ?? second;
}
