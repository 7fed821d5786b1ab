// Runs of automated workflows.
import { entity } from '../entity.js'
import { instant, mergedForm, nullable, oneOf, required, text, uuid } from '../field.js'

export const workflowRuns = entity({
  slug: 'workflow-runs',
  batch: true,
  name: 'workflow_run',
  label: 'Workflow runs',
  description: 'One run of an automated workflow and what it captured.',
  verbs: 'LGCP',
  fields: {
    workflowKey: required(text()),
    status: oneOf(['running', 'completed', 'failed', 'canceled'], 'running'),
    callSessionId: nullable(uuid('call')),
    workRecordId: nullable(uuid('work_record')),
    personId: nullable(uuid('person')),
    capturedFields: mergedForm(),
    startedAt: instant(),
    finishedAt: nullable(instant()),
  },
  about: {
    workflowKey: 'Which workflow ran, in your own word for it.',
    status: 'How it went. `completed` fires `workflow.finished`.',
    callSessionId: 'The call that it ran for.',
    workRecordId: 'The work that it ran for.',
    personId: 'Whom it ran for.',
    capturedFields: 'What it captured.',
    startedAt: 'When it began. Now, unless you say otherwise.',
    finishedAt: 'When it came to its end.',
  },
  search: ['workflowKey'],
  filters: ['workflowKey', 'status', 'callSessionId', 'workRecordId'],
})
