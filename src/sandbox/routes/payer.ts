import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { actAsPayer } from '../payments/consent-session';
import { decisionPage, messagePage, type PayerPage } from '../payer-page';
import { changeWallet } from '../payments/payments';
import type { Payment } from '../payments/records';
import { Refusal } from '../refusal';
import type { Service } from '../service';
import { parseWallet } from '../bank/wallets';

const paramsSchema = z.object({ paymentId: z.string(), action: z.enum(['approve', 'decline', 'abort']) });
/** `n` is the number for a wallet whose name has `<n>`. */
const formSchema = z.object({
  wallet: z.string().max(100).optional(),
  n: z
    .string()
    .regex(/^\d{1,6}$/)
    .optional(),
});

/** The payer's side: the decision page and the targets of its buttons. */
export function payerRoutes(app: FastifyInstance, service: Service): void {
  app.get('/payer/:paymentId', async (request, reply) => {
    const payment = findPayment(service, (request.params as { paymentId: string }).paymentId);
    if (payment === null) return noSuchPayment(reply);
    if (payment.consent.result !== 'pending') return returnToShop(reply, payment);
    return show(reply, 200, decisionPage(payment, payment.clock.realNow()));
  });

  app.post('/payer/:paymentId/:action', async (request, reply) => {
    const params = paramsSchema.safeParse(request.params);
    const payment = params.success ? findPayment(service, params.data.paymentId) : null;
    if (!params.success || payment === null) return noSuchPayment(reply);
    // Decided in another tab, or too late: only returning to the shop is left.
    if (payment.consent.result !== 'pending') return returnToShop(reply, payment);
    const form = formSchema.safeParse(request.body ?? {}).data;
    const hint = (form?.wallet ?? payment.wallet.hint).replace('<n>', form?.n ?? '<n>');
    const wallet = parseWallet(hint);
    if (wallet === null) {
      return show(reply, 400, messagePage('No such wallet', 'Go back and choose one of the wallets in the list.'));
    }
    if (hint !== payment.wallet.hint) changeWallet(service, payment, wallet);
    actAsPayer(service, payment, params.data.action);
    return returnToShop(reply, payment);
  });
}

function findPayment(service: Service, paymentId: string): Payment | null {
  try {
    return service.payments.find(paymentId);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** "Redirect to returnURL" once the consent is final; until then, back to the page. */
function returnToShop(reply: FastifyReply, { consent, paymentId, request }: Payment): FastifyReply {
  const target = consent.result === 'pending' ? `/payer/${paymentId}` : new URL(request.returnURL).href;
  return reply.header('cache-control', 'no-store').redirect(target, 303);
}

function noSuchPayment(reply: FastifyReply): FastifyReply {
  return show(reply, 404, messagePage('No such payment', 'Check the address, or start again in the shop.'));
}

function show(reply: FastifyReply, statusCode: number, page: PayerPage): FastifyReply {
  return reply.code(statusCode).headers(page.headers).send(page.html);
}
