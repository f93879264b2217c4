import { z } from 'zod';
import { optionalBody, Reason } from './fields';

/** Bodies that many calls share. */

export const ReasonBody = optionalBody(
  z
    .strictObject({ reason: Reason.optional() })
    .meta({ id: 'OptionalReason', description: 'Why the call is made, for the audit log.' }),
);
export const EmptyBody = optionalBody(
  z.strictObject({}).meta({ id: 'NoFields', description: 'An object without fields.' }),
);
/** Where the trail must say why. */
export const RequiredReasonBody = z
  .strictObject({ reason: Reason })
  .meta({ id: 'RequiredReason', description: 'Why the call is made, for the audit log.' });
