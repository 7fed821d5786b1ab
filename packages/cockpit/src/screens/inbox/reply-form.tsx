// An answer by text. Who has opted out gets none, and the reader is told why.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { SendHorizontal } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useGo, usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { explain } from '../../ui/states'

interface ReplyProps {
  readonly to: string | null
  readonly threadId: string
  /** The number of ours that the other side has written to. */
  readonly fromPhoneNumberId: string | null
  readonly isOptedOut: boolean
}

export function ReplyForm({ to, threadId, fromPhoneNumberId, isOptedOut }: ReplyProps) {
  const { parley, key, at } = usePlace()
  const go = useGo()
  const queries = useQueryClient()
  const [body, setBody] = useState('')
  const send = useMutation({
    mutationFn: () => parley.sms.send({ to, body, fromPhoneNumberId }),
    onSuccess: (sent) => {
      setBody('')
      // From another number of ours it is another thread.
      if (sent.threadId !== null && sent.threadId !== threadId) go(at('inbox', 'texts', sent.threadId))
      void queries.invalidateQueries({ queryKey: [...key, 'messages', threadId] })
      void queries.invalidateQueries({ queryKey: [...key, 'threads'] })
    },
    onError: (error) => toast(explain(error), { tone: 'danger' }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (body.trim() !== '' && !isOptedOut) send.mutate()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event)
  }
  const why = isOptedOut ? text.inbox.optedOut : body.trim() === '' ? text.live.writeFirst : undefined
  return (
    <form onSubmit={submit} className="flex items-end gap-2 border-t border-line px-4 py-3 sm:px-6">
      <textarea
        aria-label={text.inbox.reply}
        placeholder={text.inbox.reply}
        rows={1}
        value={body}
        disabled={isOptedOut}
        maxLength={1_600}
        onChange={({ target }) => setBody(target.value)}
        onKeyDown={onKeyDown}
        className="field-sizing-content max-h-40 min-h-8 flex-1 resize-none rounded-md border border-line-strong bg-surface px-2.5 py-1.5 max-sm:min-h-11"
      />
      <Button
        type="submit"
        look="primary"
        icon={<SendHorizontal size={15} aria-hidden />}
        because={why}
        disabled={send.isPending}
      >
        {text.inbox.send}
      </Button>
    </form>
  )
}
