-- Neovim against `tempo lsp`. Written for 0.7, whose client has the methods of 3.16; newer ones are asked directly.
local project, tempo = vim.env.PROJECT, vim.env.TEMPO
local failures = 0

local function check(name, ok, detail)
  io.stdout:write((ok and 'ok ' or 'FAILED ') .. name .. (ok and '' or ': ' .. vim.inspect(detail)) .. '\n')
  if not ok then failures = failures + 1 end
end

local function wait(what)
  return vim.wait(100000, what, 20)
end

local function open(name)
  vim.cmd('edit ' .. project .. '/' .. name)
  return vim.api.nvim_get_current_buf()
end

local function run()
local main = open('main.asm')
local client = vim.lsp.start_client { name = 'tempo', cmd = { tempo, 'lsp' }, root_dir = project }
vim.lsp.buf_attach_client(main, client)
check('the server starts', wait(function() return vim.lsp.buf_get_clients(main)[client] ~= nil end))

local function lines(buf, from, to) return vim.api.nvim_buf_get_lines(buf, from, to, false) end
local function set(buf, line, text) vim.api.nvim_buf_set_lines(buf, line, line + 1, false, { text }) end
local function diagnostics(buf) return vim.diagnostic.get(buf, { severity = vim.diagnostic.severity.ERROR }) end
local function request(buf, method, params)
  local answers, problem = vim.lsp.buf_request_sync(buf, method, params, 100000)
  local answer = answers and answers[client]
  if answer and answer.error then return nil, answer.error end
  return answer and answer.result, problem
end
local function document(buf) return { uri = vim.uri_from_bufnr(buf) } end
local function at(buf, line, character) return { textDocument = document(buf), position = { line = line, character = character } } end

-- An unsaved error, behind characters that take one, one and two units of UTF-16.
local good = lines(main, 6, 7)[1]
set(main, 6, (good:gsub('Border', 'Bordr')))
check('an error appears while typing', wait(function() return #diagnostics(main) > 0 end))
local found = diagnostics(main)[1] or {}
check('it is the error of the command', tostring(found.message):find("Unknown symbol 'Bordr'", 1, true) ~= nil, found)
check('it is at the name', found.lnum == 6 and found.col == good:find('Border', 1, true) - 1, found)
set(main, 6, good)
check('and goes when it is undone', wait(function() return #diagnostics(main) == 0 end), diagnostics(main))

-- An unsaved error in a file that is imported.
local lib = open('lib.inc')
vim.lsp.buf_attach_client(lib, client)
local label = lines(lib, 4, 5)[1]
set(lib, 4, 'Bordeaux: {')
check('an unsaved import breaks the root', wait(function() return #diagnostics(main) > 0 end))
set(lib, 4, label)
check('and mends it', wait(function() return #diagnostics(main) == 0 end), diagnostics(main))

vim.cmd('buffer ' .. main)
local hover = request(main, 'textDocument/hover', at(main, 4, 9))
local contents = hover and hover.contents and (hover.contents.value or hover.contents) or ''
check('hover shows cycles', tostring(contents):find('2') ~= nil and tostring(contents):lower():find('cycle') ~= nil, hover)

vim.api.nvim_win_set_cursor(0, { 7, (good:find('Border', 1, true)) })
vim.lsp.buf.definition()
check('definition goes to the import', wait(function() return vim.fn.expand('%:t') == 'lib.inc' end), vim.fn.expand('%'))
check('and to the label', vim.api.nvim_win_get_cursor(0)[1] == 5, vim.api.nvim_win_get_cursor(0))

vim.cmd('buffer ' .. main)
local params = at(main, 4, 1)
params.context = { includeDeclaration = true }
local references = request(main, 'textDocument/references', params) or {}
check('references are all there', #references == 2, references)

vim.api.nvim_win_set_cursor(0, { 5, 1 })
vim.lsp.buf.rename('again')
check('rename changes the label', wait(function() return lines(main, 4, 5)[1]:match('^again:') end), lines(main, 4, 5))
check('and its use', lines(main, 5, 6)[1]:match('bne again$') ~= nil, lines(main, 5, 6))
local refused, reason = request(main, 'textDocument/rename', vim.tbl_extend('force', at(main, 4, 1), { newName = 'start' }))
check('a rename to a name in use is refused', refused == nil and reason ~= nil, refused)

set(main, 7, '        ld')
local completion = request(main, 'textDocument/completion', at(main, 7, 10)) or {}
local items = completion.items or completion
local labels = {}
for _, item in ipairs(items) do labels[item.label] = true end
check('completion offers mnemonics', labels.lda and labels.ldx and labels.ldy, vim.tbl_keys(labels))
set(main, 7, ' jmp   start // back')

local symbols = request(main, 'textDocument/documentSymbol', { textDocument = document(main) }) or {}
local names = {}
for _, symbol in ipairs(symbols) do names[symbol.name] = true end
check('symbols list the labels', names.start and names.again, symbols)

vim.lsp.buf.formatting_sync(nil, 100000)
check('formatting sets the columns', lines(main, 7, 8)[1] == '        jmp start               // back', lines(main, 7, 8))

local whole = { start = { line = 0, character = 0 }, ['end'] = { line = 8, character = 0 } }
local tokens = request(main, 'textDocument/semanticTokens/full', { textDocument = document(main) }) or {}
check('semantic tokens come in fives', tokens.data ~= nil and #tokens.data > 0 and #tokens.data % 5 == 0, tokens)
local folds = request(main, 'textDocument/foldingRange', { textDocument = document(lib) }) or {}
check('braces fold', #folds > 0, folds)
local cycles = request(main, 'tempo/cycles', { textDocument = document(main), range = { start = { line = 3, character = 0 }, ['end'] = { line = 4, character = 99 } } })
check('a selection has cycles and bytes', cycles and cycles.min == 4 and cycles.max == 4 and cycles.bytes == 3, cycles)
local hints, problem = request(main, 'textDocument/inlayHint', { textDocument = document(main), range = whole })
check('inlay hints are answered', problem == nil, problem)

local suite = open('main.6502')
vim.lsp.buf_attach_client(suite, client)
local tests = request(suite, 'tempo/tests', { uri = vim.uri_from_bufnr(suite) })
check('the tests of a suite are found', vim.inspect(tests):find('border%-is%-set') ~= nil, tests)

vim.lsp.get_client_by_id(client).stop()
check('the server ends', wait(function() return vim.lsp.get_client_by_id(client) == nil or vim.lsp.client_is_stopped(client) end))
end

local fine, problem = xpcall(run, debug.traceback)
check('no error in Neovim', fine, problem)
vim.cmd(failures == 0 and 'qa!' or 'cq')
