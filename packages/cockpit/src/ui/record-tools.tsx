// What developers want of any record: its id, the request that reads it, and the reference. One button on each detail.
import { BookOpen, CodeXml, FileCode, Hash, SquareTerminal } from 'lucide-react'
import { useGo, usePlace } from '../api/place'
import { curlFor, typescriptFor } from '../api/request-examples'
import { toast } from '../frame/toasts'
import { text } from '../text'
import { copyText } from './copy-text'
import { Menu, MenuItem } from './menu'

interface RecordToolsProps {
  /** As in the path of the API: `people`, or `webhooks/{id}/deliveries`. */
  readonly slug: string
  readonly id: string
}

export function RecordTools({ slug, id }: RecordToolsProps) {
  const { at } = usePlace()
  const go = useGo()
  const path = `/${slug}/${id}`
  const copy = (value: string) => () => void copyText(value).then(() => toast(text.copied))
  const trigger = (
    <>
      <CodeXml size={16} aria-hidden />
      <span className="sr-only">{text.tools.title}</span>
    </>
  )
  const shape =
    'inline-grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink max-sm:size-11'
  return (
    <Menu trigger={trigger} triggerClass={shape}>
      <MenuItem onPick={copy(id)} icon={<Hash size={15} aria-hidden />}>
        {text.tools.copyId}
      </MenuItem>
      <MenuItem onPick={copy(curlFor(path))} icon={<SquareTerminal size={15} aria-hidden />}>
        {text.tools.copyCurl}
      </MenuItem>
      <MenuItem onPick={copy(typescriptFor(path))} icon={<CodeXml size={15} aria-hidden />}>
        {text.tools.copyTypescript}
      </MenuItem>
      <MenuItem
        onPick={() => go(`${at('developers', 'examples')}?${new URLSearchParams({ path })}`)}
        icon={<FileCode size={15} aria-hidden />}
      >
        {text.tools.examples}
      </MenuItem>
      <MenuItem
        onPick={() => location.assign(`/docs/api/${slug.split('/')[0]}`)}
        icon={<BookOpen size={15} aria-hidden />}
      >
        {text.tools.reference}
      </MenuItem>
    </Menu>
  )
}
