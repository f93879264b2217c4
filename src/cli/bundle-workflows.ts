import { bundleWorkflows } from '../platform/workflow-bundle';

void bundleWorkflows();
