import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where programs that dueday fetched or built for this user are kept: `$XDG_CACHE_HOME/dueday`, else `~/.cache/dueday`. */
export function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dueday');
}
