import { partOfRun } from '../support/test-run';
import { type DuedayProcess, startDueday } from './dueday-process';

const CREDENTIALS = { clientId: 'merchant', clientSecret: 'unspeakable-of-the-merchant' };

export interface SandboxProcess {
  readonly sandbox: DuedayProcess;
  /** The variables with which a program finds the simulator, the ledger and Temporal. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts the simulator as users do. @param databaseUrl the ledger, as the program's role */
export async function startSandbox(databaseUrl: string): Promise<SandboxProcess> {
  const { clientId, clientSecret } = CREDENTIALS;
  const sandbox = startDueday(['sandbox'], {
    SANDBOX_PORT: '0',
    SANDBOX_CLIENT_ID: clientId,
    SANDBOX_CLIENT_SECRET: clientSecret,
  });
  const service = await sandbox.says('sandbox payment service on ');
  const env = {
    DATABASE_URL: databaseUrl,
    PAYMENT_SERVICE_ENVIRONMENT: 'sandbox',
    TEMPORAL_ADDRESS: partOfRun('temporal').address,
    PAYMENT_SERVICE_BASE_URL: service.url!,
    PAYMENT_SERVICE_CLIENT_ID: clientId,
    PAYMENT_SERVICE_CLIENT_SECRET: clientSecret,
    ADMIN_PORT: '0',
  };
  return { sandbox, env };
}
