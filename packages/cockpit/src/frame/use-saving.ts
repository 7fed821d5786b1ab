// A change that is sent, said to be saved, and followed by reading anew what it touched.
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { usePlace } from '../api/place'
import { text } from '../text'
import { explain } from '../ui/states'
import { toast } from './toasts'

interface Saving<T> {
  /** What is read anew: the first word of its query. */
  readonly touched: string
  /** What is said when it is saved; null where the answer itself is told. */
  readonly said?: string | null
  readonly onSaved?: (saved: T) => void
}

export function useSaving<V, T>(
  send: (values: V) => Promise<T>,
  { touched, said = text.settings.saved, onSaved }: Saving<T>,
): UseMutationResult<T, Error, V> {
  const { key } = usePlace()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (saved) => {
      if (said !== null) toast(said)
      onSaved?.(saved)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [...key, touched] }),
    onError: (error) => void toast(explain(error), { tone: 'danger' }),
  })
}
