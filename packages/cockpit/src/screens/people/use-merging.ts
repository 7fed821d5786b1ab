// Merging two people or customers, and taking it back: done at once, with Undo.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useGo, usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { explain } from '../../ui/states'

export type Kind = 'people' | 'customers'

/** Someone who can be merged, as far as it matters here. */
export interface Named {
  readonly id: string
  readonly displayName: string
}

export function useHref(): (kind: Kind, id: string) => string {
  const { at } = usePlace()
  return (kind, id) => (kind === 'people' ? at('people', id) : at('people', 'customers', id))
}

/** An address with the id of someone who was merged leads to who stayed. */
export function useSurvivor(kind: Kind, asked: string, found: string | undefined): void {
  const go = useGo()
  const href = useHref()
  useEffect(() => {
    if (found !== undefined && found !== asked) go(href(kind, found) + location.search, { replace: true })
  }, [kind, asked, found, go, href])
}

export function useMerging(kind: Kind) {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const go = useGo()
  const href = useHref()
  // Nobody waits for it: what was compared may be gone from the page before everything is read.
  const anew = () => void queries.invalidateQueries({ queryKey: key })
  const onError = (error: Error) => void toast(explain(error), { tone: 'danger' })
  const unmerge = useMutation({
    mutationFn: async (id: string) => void (await parley[kind].unmerge(id)),
    onSuccess: () => {
      toast(text.people.unmergedNow)
      anew()
    },
    onError,
  })
  const merge = useMutation({
    mutationFn: async ({ goes, stays }: { readonly goes: Named; readonly stays: Named }) =>
      void (await parley[kind].merge(goes.id, stays.id)),
    onSuccess: (_, { goes, stays }) => {
      go(href(kind, stays.id) + location.search, { replace: true })
      toast(text.people.mergedNow(stays.displayName), { undo: () => unmerge.mutate(goes.id) })
      anew()
    },
    onError,
  })
  return { merge, unmerge }
}
