import { bundleWorkflows } from '../workflow-code';

void bundleWorkflows();
