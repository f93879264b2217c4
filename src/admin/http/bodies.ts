import { z } from 'zod';
import { Reason } from './fields';

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
/** For calls whose audit entry must have a reason. */
export const RequiredReasonBody = z
  .strictObject({ reason: Reason })
  .meta({ id: 'RequiredReason', description: 'The reason for this request, for the audit log.' });
