// A thread that is in sight is read, for everybody in the organization.
import type { Conversation } from '@parley/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useGo, usePlace } from '../../api/place'
import { useWritersOnly } from '../../api/role'
import { useVisible } from '../../api/use-visible'
import { toast } from '../../frame/toasts'
import { explain } from '../../ui/states'

/** Marks what is shown as read. A text that comes meanwhile comes into sight as well, so no version is asked for. */
export function useReading(thread: Conversation | undefined, isShown: boolean): void {
  const { id, version, isUnread = false } = thread ?? {}
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const mayWrite = useWritersOnly() === undefined
  const isVisible = useVisible()
  const { mutate } = useMutation({
    mutationFn: (id: string) => parley.conversations.update(id, { unreadCount: 0 }),
    onSettled: () => queries.invalidateQueries({ queryKey: [...key, 'threads'] }),
  })
  useEffect(() => {
    if (id !== undefined && isUnread && isShown && isVisible && mayWrite) mutate(id)
  }, [id, version, isUnread, isShown, isVisible, mayWrite, mutate])
}

/** Puts a thread back among those that nobody has read, and leaves it. */
export function useMarkUnread(id: string) {
  const { parley, key, at } = usePlace()
  const queries = useQueryClient()
  const go = useGo()
  return useMutation({
    mutationFn: () => parley.conversations.update(id, { unreadCount: 1 }),
    onMutate: () => go(at('inbox', 'texts')),
    onError: (error) => toast(explain(error), { tone: 'danger' }),
    onSettled: () => queries.invalidateQueries({ queryKey: [...key, 'threads'] }),
  })
}
