// A secret, shown this one time.
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { CodeBlock } from '../../ui/json-view'

export function ShownOnce({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <div className="grid gap-4">
        <p>{text.developers.shownOnce}</p>
        <CodeBlock code={secret} label={title} />
        <Button look="primary" className="justify-self-end" onClick={onClose}>
          {text.developers.keptIt}
        </Button>
      </div>
    </Dialog>
  )
}
