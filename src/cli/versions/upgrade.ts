import { createClock } from '../../platform/clock';
import { type Config, databaseOf, loadQuietly } from '../../config';
import { readVersions } from '../../temporal';
import { readSchema, type SchemaState } from '../../ledger';
import { schemaFault, withPool } from '../../process/command';
import { CommandError } from '../../process/command-error';
import { failed, type Finding, finding, ok, CHECK_TIMEOUT, warning } from '../../process/diagnosis/finding';
import { withTemporal } from '../../process/temporal';
import { ownVersion } from '../../process/version';
import { buildIdOf, workflowCode } from '../../platform/workflow-bundle';
import { printObjects, printTable } from '../output';

/** The oldest server with worker deployments, which distinguish releases. */
const OLDEST_SERVER = [1, 29] as const;
/** The oldest Node that package.json allows. */
const OLDEST_NODE = [20, 19] as const;

/**
 * Reports what this release needs before it can run on the configured ledger and Temporal. Nothing is changed.
 * @throws CommandError if something is left to do
 */
export async function checkUpgrade({ json = false }: { readonly json?: boolean }): Promise<void> {
  const config = loadQuietly(['DATABASE_URL', 'TEMPORAL_ADDRESS']);
  const findings = [nodeFinding(process.versions.node), await checkSchema(config), ...(await checkTemporal(config))];
  if (json) printObjects(findings);
  else printTable([['NEEDS', 'STATE', 'FOUND', 'WHAT TO DO'], ...findings.map(rowOf)]);
  const left = findings.filter(({ state }) => state !== 'ok');
  if (left.length > 0)
    throw new CommandError(`dueday ${ownVersion()} needs: ${left.map(({ check }) => check).join(', ')}`);
}

function rowOf({ check, state, found, advice }: Finding): string[] {
  return [check, state, found, advice ?? ''];
}

/** Exported for tests. */
export function nodeFinding(version: string): Finding {
  if (isFrom(version, OLDEST_NODE)) return ok('node', version);
  return failed('node', version, `use ${OLDEST_NODE.join('.')} or newer`);
}

/** Exported for tests. */
export function serverFinding(version: string): Finding {
  if (isFrom(version, OLDEST_SERVER)) return ok('temporal server', version);
  return failed('temporal server', version, `upgrade it to ${OLDEST_SERVER.join('.')} or newer first`);
}

function isFrom(version: string, [major, minor]: readonly [number, number]): boolean {
  const [own = 0, ownMinor = 0] = version.split('.').map(Number);
  return own > major || (own === major && ownMinor >= minor);
}

/** Exported for tests. */
export function schemaFinding(state: SchemaState): Finding {
  const { missing, unknown } = state;
  if (missing.length > 0)
    return warning(
      'schema',
      `lacks ${missing.join(', ')}`,
      "run this release's dueday migrate as the owner before its processes start",
    );
  const fault = schemaFault(state);
  if (fault !== null) return failed('schema', fault.found, fault.advice);
  return ok('schema', unknown.length === 0 ? 'current' : `newer but compatible: it has ${unknown.join(', ')}`);
}

function checkSchema(config: Config): Promise<Finding> {
  return finding('schema', 'check DATABASE_URL, and that PostgreSQL runs', () =>
    withPool({ ...databaseOf(config), purpose: 'upgrade', max: 1, timeoutMs: CHECK_TIMEOUT }, async (ledger) =>
      schemaFinding(await readSchema(ledger)),
    ),
  );
}

async function checkTemporal(config: Config): Promise<readonly Finding[]> {
  const { TEMPORAL_TASK_QUEUE: taskQueue } = config;
  const own = buildIdOf(await workflowCode());
  const advice = 'check TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and the TEMPORAL_TLS variables, and that Temporal runs';
  let server = failed('temporal server', 'not checked', advice);
  const release = await finding('release', advice, () =>
    withTemporal(config, async ({ client, connection }) => {
      const { serverVersion } = await connection.workflowService.getSystemInfo({});
      server = serverFinding(serverVersion);
      const { current } = await readVersions({ client, clock: createClock(config.TEST_CLOCK ?? null), taskQueue });
      return releaseFinding(own, current?.buildId ?? null);
    }),
  );
  return [server, release];
}

/** Exported for tests. */
export function releaseFinding(own: string, current: string | null): Finding {
  if (current === null) return ok('release', `${own}: none is current yet; its first worker makes it current`);
  if (current === own) return ok('release', `${own} is current: its workflows have not changed`);
  return warning(
    'release',
    `${own}; ${current} is current`,
    'run dueday replay verify; start workers of this release in addition to the others; run dueday versions promote',
  );
}
