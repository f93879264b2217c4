/** Processes that run until a signal. Their modules are loaded once the configuration has been validated. */
import { DAEMON_NEEDS, loadConfig, needed } from '../config';
import { createLogger } from '../platform/log';
import { createPayloadEncryption } from '../platform/payload-encryption';
import { refuseListeningEverywhere, untilSignal } from '../process/command';
import { reaching } from '../process/command-error';
import type { Role } from '../process/daemon';

/** Runs the worker, the admin API, or both. */
export async function runDaemon(role: Role): Promise<void> {
  const config = loadConfig(process.env, DAEMON_NEEDS);
  const daemon = await import('../process/daemon.js');
  await daemon.runDaemon(role, config);
}

/** Decrypts payloads for Temporal's Web UI and command line. */
export async function runCodecServer(): Promise<void> {
  const config = loadConfig(process.env, ['PAYLOAD_ENCRYPTION_KEYS', 'CODEC_SERVER_KEY']);
  const { createCodecServer } = await import('../process/codec-server.js');
  const log = createLogger(config.LOG_LEVEL, { pretty: process.stdout.isTTY, name: 'codec-server' });
  const app = await createCodecServer({
    // Payloads that were never encrypted are shown unchanged.
    codec: createPayloadEncryption(needed(config.PAYLOAD_ENCRYPTION_KEYS, 'PAYLOAD_ENCRYPTION_KEYS'), {
      plainAllowed: true,
    }),
    key: needed(config.CODEC_SERVER_KEY, 'CODEC_SERVER_KEY'),
    origins: config.CODEC_SERVER_ORIGINS ?? originsOf(config.TEMPORAL_UI_URL),
    log,
  });
  await refuseListeningEverywhere(config, ['CODEC_SERVER_HOST']);
  const { CODEC_SERVER_HOST: host, CODEC_SERVER_PORT: port } = config;
  const where = `the codec server cannot listen on ${host}:${port} (CODEC_SERVER_HOST, CODEC_SERVER_PORT)`;
  const url = await reaching(where, () => app.listen({ host, port }));
  log.info({ url }, `codec server on ${url}`);
  await untilSignal(log, () => app.close());
}

/** The default origins: that of the Web UI to which the console links. */
function originsOf(uiUrl: string | undefined): readonly string[] {
  return uiUrl === undefined ? [] : [new URL(uiUrl).origin];
}
