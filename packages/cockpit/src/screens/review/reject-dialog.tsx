// Why a draft is turned down: optional, and sent with enter.
import { type FormEvent, useState } from 'react'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/field'

interface RejectProps {
  readonly title: string
  readonly onReject: (reason: string) => void
  readonly onClose: () => void
}

export function RejectDialog({ title, onReject, onClose }: RejectProps) {
  const [reason, setReason] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onReject(reason.trim())
  }
  return (
    <Dialog title={text.review.rejectTitle(title)} isOpen onClose={onClose}>
      <form onSubmit={submit} className="grid gap-4">
        <TextField
          label={text.review.reason}
          hint={text.review.reasonHint}
          value={reason}
          autoFocus
          onChange={({ target }) => setReason(target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button type="submit" look="danger" hint="↵">
            {text.review.reject}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
