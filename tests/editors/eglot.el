;; eglot against `tempo lsp`: a strict client with its own idea of everything.  -*- lexical-binding: t -*-
(package-initialize)
(require 'eglot)
(require 'asm-mode)
(setq eglot-sync-connect 100 eglot-connect-timeout 100 eglot-autoshutdown t eglot-confirm-server-initiated-edits nil)

(define-derived-mode kickass-mode asm-mode "Kick" (setq-local comment-start "// "))
(add-to-list 'eglot-server-programs `(kickass-mode . (,(getenv "TEMPO") "lsp")))

(defvar failures 0)
(defun check (name ok &optional detail)
  (princ (format "%s %s%s\n" (if ok "ok" "FAILED") name (if ok "" (format ": %S" detail))))
  (unless ok (setq failures (1+ failures))))
(defun wait-for (what)
  (let ((n 0) result)
    (while (and (< n 2000) (not (setq result (funcall what))))
      (accept-process-output nil 0.05)
      (when (= 0 (mod n 10)) (flymake-start nil))
      (setq n (1+ n)))
    result))
;; Changes are sent when Emacs is idle, which it never is in batch mode.
(defun send () (eglot--signal-textDocument/didChange))
(defun errors () (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(condition-case problem
    (progn
      (find-file (expand-file-name "main.asm" (getenv "PROJECT")))
      (kickass-mode)
      (apply #'eglot (eglot--guess-contact))
      (check "the server starts" (eglot-managed-p))

      (goto-char (point-min))
      (search-forward "jsr Border")
      (insert "x")
      (send)
      (check "an error appears while typing" (wait-for (lambda () (errors))))
      (check "it names the symbol" (string-match-p "Borderx" (or (car (errors)) "")) (errors))
      (check "it is at the name"
             (let ((found (car (flymake-diagnostics))))
               (and found (equal "Borderx" (buffer-substring (flymake-diagnostic-beg found) (flymake-diagnostic-end found)))))
             (flymake-diagnostics))
      (delete-char -1)
      (send)
      (check "and goes when it is undone" (wait-for (lambda () (null (errors)))) (errors))

      (goto-char (point-min))
      (search-forward "dex")
      (backward-char 1)
      (check "hover shows cycles"
             (let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
               (string-match-p "cycle" (format "%S" hover))))

      (search-forward "jsr Bor")
      (check "definition goes to the import"
             (let ((found (xref-backend-definitions 'eglot "LSP identifier at point.")))
               (and found (string-match-p "lib.inc" (format "%S" (xref-item-location (car found)))))))

      (goto-char (point-min))
      (search-forward "loop")
      (backward-char 2)
      (eglot-rename "again")
      (send)
      (goto-char (point-min))
      (check "rename changes label and use"
             (and (search-forward "again:" nil t) (search-forward "bne again" nil t)) (buffer-string))

      (goto-char (point-max))
      (insert " nop // last\n")
      (send)
      (eglot-format-buffer)
      (goto-char (point-min))
      (check "formatting sets the columns" (search-forward "        nop                     // last" nil t) (buffer-string))
      (check "symbols are listed" (progn (setq imenu--index-alist nil) (consp (funcall imenu-create-index-function))))
      (set-buffer-modified-p nil)
      (eglot-shutdown (eglot-current-server))
      (check "the server ends" (null (eglot-current-server))))
  (error (check "no error in Emacs" nil problem)))
(kill-emacs (if (= failures 0) 0 1))
