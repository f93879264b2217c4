import type { NoticeDeps } from '../../src/jobs/deliver-notices';

/** What delivers notices, for tests that order none. */
export const NO_NOTICES: Pick<NoticeDeps, 'notifier' | 'noticeBackoff' | 'notify'> = {
  notifier: {
    deliver: async ({ id }) => {
      throw new Error(`no notice was to be delivered, and ${id} is`);
    },
    close: async () => undefined,
  },
  noticeBackoff: [1],
  notify: async () => undefined,
};
