// Asks for the name of a view.
import { useState } from 'react'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/field'

interface NameViewProps {
  readonly name: string
  readonly onSave: (name: string) => void
  readonly onClose: () => void
}

export function NameView({ name, onSave, onClose }: NameViewProps) {
  const [typed, setTyped] = useState(name)
  const wanted = typed.trim()
  return (
    <Dialog title={name === '' ? text.work.saveView : text.work.renameView(name)} isOpen onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (wanted === '') return
          onSave(wanted)
          onClose()
        }}
      >
        <TextField
          label={text.work.viewName}
          hint={text.work.viewHint}
          value={typed}
          maxLength={255}
          onChange={({ target }) => setTyped(target.value)}
        />
        <div className="flex justify-end">
          <Button type="submit" look="primary" because={wanted === '' ? text.work.nameFirst : undefined}>
            {text.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
