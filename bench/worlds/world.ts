import { Client, Connection } from '@temporalio/client';
import type { ClockSetting } from '../../src/domain/time';
import { startTemporaryPostgres } from '../../src/embedded/postgres/temporary';
import { createPool, migrate, type Pool } from '../../src/ledger';
import { registerSearchAttributes } from '../../src/process/temporal';
import { silentLog } from '../../test/support/silent-log';
import { BARE_TABLES } from '../references/ledger';
import type { Debited } from './service';
import { type Program, startProgram } from './program';
import { type BenchTemporal, openDevServer } from './temporal';

/** The servers that both sides of a comparison use; each side has its own database. */
export interface World {
  readonly clock: ClockSetting | null;
  readonly temporalAddress: string;
  readonly client: Client;
  readonly serviceUrl: string;
  /** The URL of dueday's ledger. */
  readonly databaseUrl: string;
  readonly ledger: Pool;
  /** The URL of the database with the reference's tables. */
  readonly bareUrl: string;
  readonly bare: Pool;
  /** Debits that the service has received, of payments whose ids have this prefix. */
  debited(prefix: string): Promise<readonly Debited[]>;
  /**
   * Has the service answer 429 to requests in excess of this number in any one second; null removes the cap.
   * @returns how many it has refused since the previous call
   */
  capService(perSecond: number | null): Promise<number>;
  /** A count of writing transactions in all databases of the PostgreSQL server; only differences are meaningful. */
  commits(): Promise<number>;
}

/** What stops each running part, in the order of their starts; called in reverse order when the world closes. */
export type Stops = (() => Promise<unknown>)[];

/** Opens a world for `work`, and closes it afterwards. */
export async function withWorld<T>(
  clock: ClockSetting | null,
  work: (world: World) => Promise<T>,
  openTemporal: () => Promise<BenchTemporal> = openDevServer,
): Promise<T> {
  const stops: Stops = [];
  try {
    return await work(await openWorld(clock, stops, openTemporal));
  } finally {
    await closeWorld(stops);
  }
}

export async function closeWorld(stops: Stops): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop();
}

/** @param stops receives what stops each part as soon as that runs, so that the caller can close a partly opened world */
export async function openWorld(
  clock: ClockSetting | null,
  stops: Stops,
  openTemporal: () => Promise<BenchTemporal> = openDevServer,
): Promise<World> {
  const postgres = await startTemporaryPostgres(silentLog());
  stops.push(() => postgres.stop());
  const temporal = await openTemporal();
  stops.push(() => temporal.stop());
  const service = startProgram('bench/worlds/service.ts', [JSON.stringify(clock)], {});
  stops.push(() => service.kill());
  await migrate({ databaseUrl: postgres.url });
  const ledger = createPool({ databaseUrl: postgres.url, max: 4 });
  const bareUrl = await createDatabase(ledger, postgres.url, 'bare');
  const bare = createPool({ databaseUrl: bareUrl, max: 4 });
  stops.push(() => Promise.all([ledger.end(), bare.end()]));
  await bare.query(BARE_TABLES);
  const connection = await Connection.connect({ address: temporal.address });
  stops.push(() => connection.close());
  await registerSearchAttributes(connection, 'default');
  const serviceUrl = `http://127.0.0.1:${await portOf(service)}`;
  return {
    clock,
    temporalAddress: temporal.address,
    client: new Client({ connection }),
    serviceUrl,
    databaseUrl: postgres.url,
    ledger,
    bareUrl,
    bare,
    debited: async (prefix) =>
      (await (await fetch(`${serviceUrl}/bench/payments?prefix=${prefix}`)).json()) as readonly Debited[],
    async capService(perSecond) {
      const query = perSecond === null ? '' : `?perSecond=${perSecond}`;
      const answer = await fetch(`${serviceUrl}/bench/cap${query}`);
      return ((await answer.json()) as { readonly refused: number }).refused;
    },
    commits: () => commitsOf(ledger),
  };
}

/** Creates another database on the same server. @returns its URL */
export async function createDatabase(ledger: Pool, databaseUrl: string, name: string): Promise<string> {
  await ledger.query(`create database ${name}`);
  const url = new URL(databaseUrl);
  url.pathname = name;
  return url.href;
}

async function portOf(service: Program): Promise<number> {
  return (JSON.parse(await service.says('"port"')) as { readonly port: number }).port;
}

/** PostgreSQL assigns consecutive numbers to the writing transactions of all its databases. */
async function commitsOf(ledger: Pool): Promise<number> {
  const { rows } = await ledger.query<{ next: number }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next',
  );
  return rows[0]?.next ?? NaN;
}
