import { Connection } from '@temporalio/client';
import { createPool } from '../../src/ledger';
import { runDueday } from '../cli/dueday-process';
import { apiOf, type ProcessStack } from '../processes/local-stack';
import type { Program } from '../processes/program';
import { portToKeep } from '../processes/servers';
import { type AdminApi, createAdminApi } from '../scenarios/admin-api';
import { asProgram, PROGRAM_ROLE } from '../support/program-role';

/** One installation of dueday: its ledger, its API, its programs, and its merchant at the service. */
export interface Installation {
  readonly databaseUrl: string;
  readonly admin: AdminApi;
  readonly url: string;
  readonly key: string;
  /** The client id of the merchant at the service; undefined: that of the merchant with which the simulator started. */
  readonly clientId: string | undefined;
}

export function firstInstallation(stack: ProcessStack): Installation {
  const { databaseUrl, admin } = stack;
  return { databaseUrl, admin, ...apiOf(stack), clientId: undefined };
}

const NAME = 'second_installation';

/**
 * A second one beside the first: another merchant, ledger and Temporal namespace on the same servers. It is needed for
 * variables that apply to a whole installation.
 */
export async function secondInstallation(
  stack: ProcessStack,
  variables: Readonly<Record<string, string>>,
): Promise<Installation & { readonly daemon: Program }> {
  const databaseUrl = await createLedger(stack.databaseUrl);
  await createNamespace(stack.temporalAddress);
  const { clientId, clientSecret } = stack.sandbox.addMerchant({
    environment: 'sandbox',
    longCapturePermitted: false,
    eventDependentRefunds: false,
  });
  const port = await portToKeep('the admin API of the second installation');
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...variables,
    DATABASE_URL: asProgram(databaseUrl),
    TEMPORAL_NAMESPACE: NAME,
    PAYMENT_SERVICE_CLIENT_ID: clientId,
    PAYMENT_SERVICE_CLIENT_SECRET: clientSecret,
    ADMIN_PORT: String(port),
    CONSOLE_URL: url,
  };
  const { key } = apiOf(stack);
  const daemon = stack.program('daemon', 'daemon of the second installation', env);
  return { databaseUrl, url, key, clientId, admin: createAdminApi(url, key), daemon };
}

async function createLedger(serverUrl: string): Promise<string> {
  const pool = createPool({ databaseUrl: serverUrl, max: 1 });
  try {
    await pool.query(`create database ${NAME}`);
  } finally {
    await pool.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${NAME}`;
  const { code, stdout, stderr } = await runDueday(['migrate'], {
    DATABASE_URL: url.href,
    DATABASE_ROLE: PROGRAM_ROLE,
  });
  if (code !== 0) throw new Error(`the second ledger was not migrated: ${stdout}${stderr}`);
  return url.href;
}

async function createNamespace(address: string): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    const workflowExecutionRetentionPeriod = { seconds: 86_400 as never };
    await connection.workflowService.registerNamespace({ namespace: NAME, workflowExecutionRetentionPeriod });
  } finally {
    await connection.close();
  }
}
