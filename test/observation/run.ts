/** `npm run board`: writes Grafana's board from the list of metrics in docs/reference/metrics.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boardSource } from './board';

void boardSource().then((source) => {
  writeFileSync(join(__dirname, '../../deploy/grafana/dueday.json'), source);
});
