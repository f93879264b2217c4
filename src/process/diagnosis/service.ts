import type { Clock } from '../../platform/clock';
import type { Config } from '../../config';
import { certainLead } from '../../domain/send';
import { createLogger } from '../../platform/log';
import { createSmtpTransport } from '../../notices';
import { createPaymentService, readHttpDate } from '../../payment-service';
import { serviceAccess } from '../dependencies';
import { clockDifference, failed, type Finding, finding, ok, CHECK_TIMEOUT, warning } from './finding';

export async function diagnoseService(config: Config, clock: Clock): Promise<Finding[]> {
  const { baseUrl } = serviceAccess(config);
  return [
    await finding('payment service', 'check PAYMENT_SERVICE_BASE_URL and the network', () =>
      checkServiceClock(baseUrl, clock),
    ),
    await finding('access token', 'check the PAYMENT_SERVICE_ variables', () => checkAccess(config, clock)),
  ];
}

/** Compares the clocks: any answer with a `Date` header shows the service's, whatever its status. */
async function checkServiceClock(baseUrl: string, clock: Clock): Promise<Finding> {
  const askedAt = clock.realNow();
  const { headers } = await fetch(baseUrl, { redirect: 'manual', signal: AbortSignal.timeout(CHECK_TIMEOUT) });
  const shown = readHttpDate(headers.get('date') ?? undefined);
  if (shown === undefined)
    return warning('payment service', 'reachable, but it does not send its time', 'ask the provider for a Date header');
  const difference = clockDifference(certainLead(shown, { askedAt, answeredAt: clock.realNow() }));
  if (difference === null) return ok('payment service', 'reachable, clocks agree');
  return warning('payment service', `its clock is ${difference}`, 'synchronize our clock (NTP)');
}

async function checkAccess(config: Config, clock: Clock): Promise<Finding> {
  const logger = createLogger('silent');
  const service = createPaymentService({ ...serviceAccess(config), timeoutMs: CHECK_TIMEOUT, clock, logger });
  try {
    const access = await service.checkAccess();
    if (access.kind === 'accepted') return ok('access token', 'issued');
    const why = access.kind === 'rejected' ? access.failure.detail : access.reason;
    return failed('access token', why, 'check client id, secret and API key, and the allow list of addresses');
  } finally {
    await service.close();
  }
}

export async function diagnoseMail({ SMTP_URL: url }: Config): Promise<Finding[]> {
  if (url === undefined) return [];
  const transport = createSmtpTransport(url, CHECK_TIMEOUT);
  const checked = finding('mail server', 'check SMTP_URL', async () => {
    await transport.verify();
    return ok('mail server', 'accepts our login');
  });
  return [await checked.finally(() => transport.close())];
}
