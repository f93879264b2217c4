import type { Config } from '../config';
import {
  createNotifier,
  type Notifier,
  OWN_TEMPLATES,
  payerChannelSettings,
  readTemplates,
  TemplateError,
  type Templates,
} from '../notices';
import { BadInputError } from './command-error';
import type { Dependencies } from './dependencies';

/**
 * The words of e-mails to payers: ours, as far as the merchant's own folder does not override them. Checked as a whole, so
 * that a fault shows when the program starts and not with the first payer.
 * @throws BadInputError with every fault.
 */
export function templatesOf({ NOTICE_TEMPLATES: folder }: Pick<Config, 'NOTICE_TEMPLATES'>): Templates {
  if (folder === undefined) return OWN_TEMPLATES;
  try {
    return readTemplates(folder);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new BadInputError(error.faults.map((fault) => `NOTICE_TEMPLATES: ${fault}`));
  }
}

/** Every channel that the configuration opens. @throws BadInputError where a template is none. */
export function openNotifier({ config, clock, log }: Pick<Dependencies, 'config' | 'clock' | 'log'>): Notifier {
  const { EVENT_WEBHOOK_URL: url, EVENT_WEBHOOK_SECRET: secret } = config;
  return createNotifier({
    clock,
    ...payerChannelSettings(config, templatesOf(config)),
    eventWebhook: url === undefined || secret === undefined ? undefined : { url, secret },
    logger: log,
  });
}
