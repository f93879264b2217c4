import { createClock } from '../clock';
import { loadConfig } from '../config';
import { createLogger } from '../log';
import { createSandbox } from '../sandbox';
import { reaching } from './command-error';
import { untilSignal } from './until-signal';

/** The payment service simulator alone, until a signal. */
export async function runSandbox(): Promise<void> {
  const config = loadConfig(process.env);
  const log = createLogger(config.LOG_LEVEL, { pretty: process.stdout.isTTY, name: 'sandbox' });
  const sandbox = createSandbox({
    clock: createClock(config.TEST_CLOCK ?? null),
    logger: log,
    clientId: config.SANDBOX_CLIENT_ID,
    clientSecret: config.SANDBOX_CLIENT_SECRET,
    ...(config.PAYMENT_SERVICE_API_KEY === undefined ? {} : { apiKey: config.PAYMENT_SERVICE_API_KEY }),
    ...(config.MERCHANT_CATEGORY_CODE === undefined ? {} : { merchantCategoryCode: config.MERCHANT_CATEGORY_CODE }),
    longCapturePermitted: config.LONG_CAPTURE_PERMITTED,
    eventDependentRefunds: config.EVENT_DEPENDENT_REFUNDS,
  });
  const { SANDBOX_PORT: port, ADMIN_HOST: host } = config;
  const where = `the sandbox cannot listen on ${host}:${port}`;
  const { url } = await reaching(where, () => sandbox.listen(port, host)).catch(async (error: unknown) => {
    await sandbox.close();
    throw error;
  });
  log.info({ url }, `sandbox payment service on ${url}`);
  await untilSignal(log, () => sandbox.close());
}
