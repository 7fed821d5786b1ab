// The endpoints of merging, the same for people and for customers.
import { type Entity, limits, merge, mergeBody, recordSchema } from '@parley/contract'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { listAnswer } from '../../http/respond.js'
import { notFound } from '../../store/api-error.js'
import { json } from '../../store/response.js'
import { unpagedSchema } from '../generic/response-schemas.js'
import { mergeRecords } from './merge-records.js'
import { type Mergeable, mergeableCustomers, mergeablePeople } from './mergeable.js'
import { findMerge, mergesInto } from './merges.js'
import { unmergeRecord } from './unmerge-records.js'

const endpointsFor = <E extends Entity>(kind: Mergeable<E>, one: string, several: string): Endpoint[] => {
  const { entity } = kind
  const [noun, tag] = [one.toLowerCase(), entity.label]
  return [
    endpoint({
      method: 'POST',
      path: `/${entity.slug}/{id}/merge`,
      scope: 'WRITE',
      operationId: `merge${one}`,
      summary: `Merge a ${noun} into another`,
      description:
        `The ${noun} becomes part of the one that \`intoId\` names: its id leads there from then on, and what names ` +
        'it names the other. The values of the one that stays win; it takes over what it does not say itself, and ' +
        'the history keeps the rest. 202 where more than ' +
        `${limits.mergeAtOnce} records name it: they move in the background.`,
      tag,
      body: mergeBody,
      returns: { status: [200, 202], schema: recordSchema(entity), accepted: merge },
      handle: (input) => mergeRecords(kind, input),
    }),
    endpoint({
      method: 'POST',
      path: `/${entity.slug}/{id}/unmerge`,
      scope: 'WRITE',
      operationId: `unmerge${one}`,
      summary: `Undo the merge of a ${noun}`,
      description:
        `For ${limits.unmergeDays} days. \`id\` is that of the ${noun} that was merged; it is there again as it was, ` +
        'with what the merge moved, unless somebody has changed it since. What came after the merge stays where it ' +
        'is. 202 where much moves back, in the background.',
      tag,
      returns: { status: [200, 202], schema: recordSchema(entity), accepted: merge },
      handle: (input) => unmergeRecord(kind, input),
    }),
    endpoint({
      method: 'GET',
      path: `/${entity.slug}/{id}/merges`,
      scope: 'READ',
      operationId: `list${one}Merges`,
      summary: `${several} that were merged into one`,
      description: `The newest ${limits.listItems}, newest first.`,
      tag,
      returns: { status: 200, schema: unpagedSchema(merge) },
      async handle({ read, params, requestId }) {
        const stored = await read.stored(entity, params.id)
        if (stored === undefined) throw notFound()
        const merges = await mergesInto(read, stored.id)
        return listAnswer(
          merges.map((one) => JSON.stringify(one)),
          requestId,
        )
      },
    }),
    endpoint({
      method: 'GET',
      path: `/${entity.slug}/{id}/merges/{mergeId}`,
      scope: 'READ',
      operationId: `get${one}Merge`,
      summary: 'How far a merge has come',
      description: '`id` is that of either of the two.',
      tag,
      returns: { status: 200, schema: merge },
      async handle({ read, params }) {
        const found = await findMerge(read, params.id, params.mergeId)
        if (found === undefined) throw notFound()
        return json(200, found)
      },
    }),
  ]
}

export const mergeEndpoints: Endpoint[] = [
  ...endpointsFor(mergeablePeople, 'Person', 'People'),
  ...endpointsFor(mergeableCustomers, 'Customer', 'Customers'),
]
