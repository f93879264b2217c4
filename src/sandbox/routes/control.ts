import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parse, paymentIdSchema } from '../body';
import { instantOf, iso } from '../payments/calendar';
import { grantedSchema } from '../payments/payment-request';
import { PAYER_ACTIONS } from '../payments/consent-session';
import type { Control } from '../control';
import { BREAKABLE_RULES } from '../faults/broken-rules';
import { CONTRADICTIONS } from '../faults/contradictions';
import { faultSchema } from '../faults/faults';
import type { Service } from '../service';
import { WALLETS } from '../bank/wallets';

const payerSchema = z.strictObject({ action: z.enum(PAYER_ACTIONS), wallet: z.string().max(100).optional() });
const clockSchema = z.strictObject({
  businessTime: z.iso.datetime({ offset: true }).optional(),
  realSeconds: z.number().min(0).max(31_536_000).optional(),
});
const ageSchema = z.strictObject({ token: z.string().min(1).max(200), seconds: z.number().min(0).max(31_536_000) });
const merchantSchema = z.strictObject({
  environment: z.enum(['sandbox', 'production']).default('sandbox'),
  merchantCategoryCode: z
    .string()
    .regex(/^\d{4}$/)
    .optional(),
  longCapturePermitted: z.boolean().default(false),
  eventDependentRefunds: z.boolean().default(false),
  allowList: z.array(z.string().max(100)).max(100).optional(),
});
const walletSchema = z.strictObject({ wallet: z.string().max(100) });

const foreignSchema = z.strictObject({
  amount: z.int().min(1),
  createdAt: z.iso.datetime({ offset: true }).transform(instantOf),
  cycle: z.int().min(0).optional(),
  result: z.enum(['pending', 'successful', 'failed']).default('successful'),
});
const grantSchema = grantedSchema.extend({ clientId: z.string().max(200).optional() });

/** Everything under /_sandbox: not part of the payment service, and open without a token. */
export function controlRoutes(app: FastifyInstance, service: Service, control: Control): void {
  const { clock, faults, settings } = service;
  const idOf = (params: unknown): string => parse(paymentIdSchema, params).paymentId;

  app.get('/_sandbox/debits', async () => ({ items: control.debits() }));
  app.get('/_sandbox/payments', async () => ({ items: control.payments() }));
  app.get('/_sandbox/payments/:paymentId', async (request) => control.payment(idOf(request.params)));
  app.get('/_sandbox/refusals', async () => ({ counts: control.refusalCounts(), items: control.refusals() }));
  app.get('/_sandbox/wallets', async () => ({
    items: Object.entries(WALLETS).map(([name, [meaning]]) => ({ name, meaning })),
  }));
  app.get('/_sandbox/clock', async () => ({
    businessTime: iso(clock.now()),
    realTime: iso(clock.realNow()),
    setting: clock.setting,
  }));

  app.post('/_sandbox/payments/:paymentId/payer', async (request) => {
    const { action, wallet } = parse(payerSchema, request.body);
    if (wallet !== undefined) control.setWallet(idOf(request.params), wallet);
    return control.act(idOf(request.params), action);
  });
  app.post('/_sandbox/payments/:paymentId/wallet', async (request) =>
    control.setWallet(idOf(request.params), parse(walletSchema, request.body).wallet),
  );
  app.post('/_sandbox/payments/:paymentId/settle', async (request) => control.settle(idOf(request.params)));

  app.post('/_sandbox/payments', async (request, reply) => {
    const { clientId, createdAt, ...granted } = parse(grantSchema, request.body);
    return reply.code(201).send(control.grantElsewhere(granted, createdAt, clientId));
  });
  app.post('/_sandbox/payments/:paymentId/authorizations', async (request, reply) => {
    const made = parse(foreignSchema, request.body);
    return reply.code(201).send(control.authorizeElsewhere(idOf(request.params), made));
  });

  app.post('/_sandbox/payments/:paymentId/clock', async (request) =>
    control.moveClock(idOf(request.params), parse(clockSchema, request.body)),
  );
  app.post('/_sandbox/tokens/age', async (request, reply) => {
    const { token, seconds } = parse(ageSchema, request.body);
    control.ageToken(token, seconds);
    return reply.code(204).send();
  });
  app.post('/_sandbox/merchants', async (request, reply) => {
    const terms = parse(merchantSchema, request.body);
    const { clientId, clientSecret } = control.addMerchant(terms);
    return reply.code(201).send({ clientId, clientSecret, ...terms });
  });
  app.get('/_sandbox/rules', async () => ({
    items: Object.entries(BREAKABLE_RULES).map(([name, broken]) => ({
      name,
      broken,
      isBroken: (settings.brokenRules as ReadonlySet<string>).has(name),
    })),
  }));

  app.get('/_sandbox/contradictions', async () => ({
    items: Object.entries(CONTRADICTIONS).map(([name, meaning]) => ({ name, meaning })),
  }));
  app.get('/_sandbox/faults', async () => ({ items: faults.list() }));
  app.post('/_sandbox/faults', async (request, reply) =>
    reply.code(201).send(faults.order(parse(faultSchema, request.body))),
  );
  app.delete('/_sandbox/faults', async (_request, reply) => {
    faults.clear();
    return reply.code(204).send();
  });
}
