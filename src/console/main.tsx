import { render } from 'preact';
import { App } from './app';
import { startClock } from './format';
import { watchAttendance } from './session';
import { applyTheme } from './theme';

applyTheme();
watchAttendance(window);
startClock();
const root = document.getElementById('console');
if (root === null) throw new Error('index.html has no element #console');
render(<App />, root);
