import type { AdminDeps } from '../admin-deps';
import { callerOf } from '../caller';
import { readableFields, refuseUnreleased } from '../creation-rules';
import { invalidRequest } from '../problems';
import { schemaFaults } from '../request-validation';
import { FAULT_ANSWERS } from '../schemas/problem';
import { SubscriptionOut } from '../schemas/subscription';
import { CreateSubscription } from '../schemas/subscription-request';
import { chooseId, createSubscription, faultsBetween, findMade } from '../subscription-creation';
import { viewSubscription } from '../views/subscription-view';
import type { TypedApp } from './typed-app';

/** `POST /subscriptions`. */
export function createSubscriptionRoute(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions',
    {
      config: { role: 'operator' },
      attachValidation: true,
      schema: {
        tags: ['subscriptions'],
        operationId: 'createSubscription',
        summary: 'Creates a subscription and opens the consent session, for which the payer has 10 minutes',
        body: CreateSubscription,
        response: { 201: SubscriptionOut, ...FAULT_ANSWERS },
      },
    },
    async (request, reply) => {
      refuseUnreleased(deps.policy);
      const faults = schemaFaults(request.validationError);
      if (faults.length > 0) {
        throw invalidRequest([
          ...faults,
          ...(await faultsBetween(deps, readableFields(CreateSubscription, request.body))),
        ]);
      }
      const caller = callerOf(request);
      const chosen = chooseId(request.body, caller, request.idempotentRun?.key ?? null);
      const made = await findMade(deps, chosen);
      const record = made ?? (await createSubscription(deps, request.body, chosen, caller.name));
      return reply.code(201).header('location', `/v1/subscriptions/${chosen.id}`).send(viewSubscription(record));
    },
  );
}
