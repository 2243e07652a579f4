// Package platen draws ZPL II, EPL2, TSPL and CPCL label code: libplaten for Go.
//
//	png, err := platen.Render([]byte("^XA^FO50,50^A0N,60^FDHello^FS^XZ"), platen.Options{})
//
// Bad label code is no error: it gives findings (Describe). An Engine may be used by any number of goroutines.
package platen

/*
#cgo pkg-config: platen
#include <stdlib.h>
#include <platen/platen.h>

// The header's functions that take the size of a struct are macros, which Go does not see.
static uint32_t copies_of(const struct platen_document *document, uint32_t index)
{
    struct platen_label label;
    return platen_label_at(document, index, &label) ? label.copies : 1;
}
*/
import "C"

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// Format of a picture file.
type Format string

// The formats of Engine.Render.
const (
	PNG  Format = "png"
	JPEG Format = "jpeg"
	WebP Format = "webp"
	PDF  Format = "pdf" // all labels with their copies
)

// Options say how label code is read and drawn. Those of the zero value are 101.6 by 152.4 mm and 8 dots per millimetre.
type Options struct {
	WidthMM, HeightMM, DPMM float64
	FitSize                 bool      // the size is taken from the labels
	Rotation                int       // of the finished label, clockwise: 0, 90, 180, 270
	Grayscale               bool      // shades at edges
	Printer                 bool      // a printer's own dots, not those of the reference
	Language                string    // "zpl", "epl", "tspl", "cpcl"; "": the one that recognises the code
	Time                    time.Time // the printer's clock; zero: now
	Rules                   string    // rule set for barcodes; "": "default"
	Verify                  bool      // read barcodes back (Describe)
	PrinterModel            string    // report what a printer of this model would not print
	Label                   int       // which label Render draws, from 0; a PDF has all
}

// Error is a failure of the library: of memory, limits, time, or an argument out of its bounds.
type Error struct {
	Code    string // "limit", "memory", "invalid", "not_found", "deadline", ...
	Message string
}

func (e *Error) Error() string { return "platen: " + e.Message }

// ErrClosed is returned by the calls of an Engine after Close.
var ErrClosed = errors.New("platen: the engine is closed")

// Version of the library.
func Version() string { return C.GoString(C.platen_version()) }

// Limits of an Engine; 0 is the default.
type Limits struct {
	InputBytes, DecodedGraphics, StoredBytes, MemoryBytes uint64
	DotsPerLabel                                          uint64
	Labels, ElementsPerLabel                              uint32
}

// Engine has fonts and limits, and the renderers that goroutines take turns with. Each call under way has one of its own:
// a program that serves many clients limits how many calls it makes at once. Of those that are idle an Engine keeps as many
// as GOMAXPROCS says.
type Engine struct {
	mutex  sync.Mutex
	engine *C.struct_platen_engine
	idle   []*C.struct_platen_worker
	busy   int
	closed bool
}

func failure(status C.enum_platen_status, err *C.struct_platen_error) error {
	if status == C.PLATEN_OK {
		return nil
	}
	return &Error{Code: C.GoString(C.platen_status_name(status)), Message: C.GoString(&err.message[0])}
}

// New makes an engine. Close frees it.
func New(limits Limits) (*Engine, error) {
	options := C.struct_platen_engine_options{
		size:               C.sizeof_struct_platen_engine_options,
		input_bytes:        C.size_t(limits.InputBytes),
		decoded_graphics:   C.size_t(limits.DecodedGraphics),
		stored_bytes:       C.size_t(limits.StoredBytes),
		arena_bytes:        C.size_t(limits.MemoryBytes),
		dots_per_label:     C.uint64_t(limits.DotsPerLabel),
		labels:             C.uint32_t(limits.Labels),
		elements_per_label: C.uint32_t(limits.ElementsPerLabel),
	}
	var engine *C.struct_platen_engine
	var failed C.struct_platen_error
	if err := failure(C.platen_engine_new(&options, &engine, &failed), &failed); err != nil {
		return nil, err
	}
	e := &Engine{engine: engine}
	runtime.SetFinalizer(e, (*Engine).Close)
	return e, nil
}

// Close frees the engine, after the calls that are under way.
func (e *Engine) Close() error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.closed = true
	e.freeIfDone()
	return nil
}

// With the mutex held.
func (e *Engine) freeIfDone() {
	if !e.closed || e.busy > 0 || e.engine == nil {
		return
	}
	for _, worker := range e.idle {
		C.platen_worker_free(worker)
	}
	C.platen_engine_free(e.engine)
	e.engine, e.idle = nil, nil
	runtime.SetFinalizer(e, nil)
}

func (e *Engine) take() (*C.struct_platen_worker, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.closed {
		return nil, ErrClosed
	}
	var worker *C.struct_platen_worker
	if last := len(e.idle) - 1; last >= 0 {
		worker, e.idle = e.idle[last], e.idle[:last]
	} else {
		var failed C.struct_platen_error
		if err := failure(C.platen_worker_new(e.engine, &worker, &failed), &failed); err != nil {
			return nil, err
		}
	}
	e.busy++
	return worker, nil
}

func (e *Engine) give(worker *C.struct_platen_worker) {
	C.platen_worker_trim(worker)
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if len(e.idle) < runtime.GOMAXPROCS(0) {
		e.idle = append(e.idle, worker)
	} else {
		C.platen_worker_free(worker)
	}
	e.busy--
	e.freeIfDone()
}

// document calls use with the document of the code, which ends with the call.
func (e *Engine) document(ctx context.Context, code []byte, o Options, elements bool,
	use func(*C.struct_platen_worker, *C.struct_platen_document) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	options := C.struct_platen_options{
		size: C.sizeof_struct_platen_options, width_mm: C.double(o.WidthMM), height_mm: C.double(o.HeightMM), dpmm: C.double(o.DPMM),
		fit_size: C.bool(o.FitSize), collapse_copies: true, copy_input: true, want_elements: C.bool(elements), verify: C.bool(elements && o.Verify),
	}
	if o.Rotation < 0 || o.Rotation > 270 {
		return &Error{"invalid", "The rotation must be 0, 90, 180 or 270."}
	}
	options.rotation = C.uint32_t(o.Rotation)
	if o.Grayscale {
		options.quality = C.PLATEN_GRAYSCALE
	}
	if o.Printer {
		options.profile = C.PLATEN_PRINTER
	}
	if !o.Time.IsZero() {
		// The library reads it as the printer's own time, without a zone.
		_, offset := o.Time.Zone()
		options.has_time, options.time = true, C.int64_t(o.Time.Unix()+int64(offset))
	}
	language, err := languageOf(o.Language)
	if err != nil {
		return err
	}
	options.language = language
	for _, text := range []struct {
		value string
		place **C.char
	}{{o.Rules, &options.rules}, {o.PrinterModel, &options.printer_model}} {
		if text.value != "" {
			*text.place = C.CString(text.value)
			defer C.free(unsafe.Pointer(*text.place))
		}
	}
	worker, err := e.take()
	if err != nil {
		return err
	}
	defer e.give(worker)
	cancel := (*C.struct_platen_cancel)(C.calloc(1, C.sizeof_struct_platen_cancel))
	if cancel == nil {
		return &Error{"memory", "There is not enough memory."}
	}
	defer C.free(unsafe.Pointer(cancel))
	defer watch(ctx, cancel)()
	options.cancel = cancel
	var document *C.struct_platen_document
	var failed C.struct_platen_error
	var start unsafe.Pointer
	if len(code) > 0 {
		start = unsafe.Pointer(&code[0])
	}
	status := C.platen_parse(worker, start, C.size_t(len(code)), &options, &document, &failed)
	if err := failure(status, &failed); err != nil {
		return ofContext(ctx, err)
	}
	defer C.platen_document_free(document)
	return ofContext(ctx, use(worker, document))
}

// watch tells the library when the context ends; what it returns ends the watching.
func watch(ctx context.Context, cancel *C.struct_platen_cancel) func() {
	if ctx.Done() == nil {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-ctx.Done():
			C.platen_cancel_set(cancel)
		case <-done:
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// ofContext: a call that its context has ended fails with the context's error.
func ofContext(ctx context.Context, err error) error {
	var failed *Error
	if errors.As(err, &failed) && failed.Code == "cancelled" && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func languageOf(name string) (C.enum_platen_language, error) {
	if name == "" || name == "auto" {
		return C.PLATEN_LANGUAGE_DETECT, nil
	}
	for language := C.enum_platen_language(C.PLATEN_LANGUAGE_ZPL); ; language++ {
		var known, title *C.char
		if !C.platen_language_names(language, &known, &title) {
			return 0, &Error{"invalid", "There is no language '" + name + "'."}
		}
		if C.GoString(known) == name {
			return language, nil
		}
	}
}

func takeBytes(buffer *C.struct_platen_buffer) ([]byte, error) {
	if buffer.size > math.MaxInt32 {
		return nil, &Error{"limit", "The result is larger than 2 GiB."}
	}
	return C.GoBytes(unsafe.Pointer(buffer.data), C.int(buffer.size)), nil
}

// Render draws one label, or all of them into a PDF.
func (e *Engine) Render(ctx context.Context, code []byte, format Format, o Options) ([]byte, error) {
	var kind C.enum_platen_format
	name := C.CString(string(format))
	defer C.free(unsafe.Pointer(name))
	if !C.platen_format_by_name(name, &kind) {
		return nil, &Error{"not_found", "There is no format '" + string(format) + "'."}
	}
	if o.Label < 0 || o.Label > math.MaxInt32 {
		return nil, &Error{"not_found", "There is no label with this number."}
	}
	var bytes []byte
	// A PDF has the texts of its labels, which are those of their elements.
	err := e.document(ctx, code, o, kind == C.PLATEN_PDF, func(worker *C.struct_platen_worker, document *C.struct_platen_document) (err error) {
		buffer := (*C.struct_platen_buffer)(C.calloc(1, C.sizeof_struct_platen_buffer))
		if buffer == nil {
			return &Error{"memory", "There is not enough memory."}
		}
		defer C.free(unsafe.Pointer(buffer))
		defer C.platen_buffer_free(buffer)
		if kind == C.PLATEN_PDF {
			err = drawAll(worker, document, buffer)
		} else {
			var page *C.struct_platen_page
			var failed C.struct_platen_error
			status := C.platen_draw(worker, document, C.uint32_t(o.Label), &page, &failed)
			if status == C.PLATEN_OK {
				status = C.platen_encode(worker, page, kind, nil, buffer, &failed)
			}
			err = failure(status, &failed)
		}
		if err == nil {
			bytes, err = takeBytes(buffer)
		}
		return err
	})
	return bytes, err
}

func drawAll(worker *C.struct_platen_worker, document *C.struct_platen_document, out *C.struct_platen_buffer) error {
	var pdf *C.struct_platen_pdf
	var failed C.struct_platen_error
	var part C.struct_platen_buffer
	defer C.platen_buffer_free(&part)
	title := C.CString("Labels") // as of the program
	defer C.free(unsafe.Pointer(title))
	status := C.platen_pdf_new(title, out, &pdf, &failed)
	if status != C.PLATEN_OK {
		return failure(status, &failed)
	}
	defer C.platen_pdf_free(pdf)
	for i := C.uint32_t(0); status == C.PLATEN_OK && i < C.platen_label_count(document); i++ {
		var page *C.struct_platen_page
		status = C.platen_draw(worker, document, i, &page, &failed)
		if status == C.PLATEN_OK {
			status = C.platen_pdf_part(worker, page, &part, &failed)
		}
		if status == C.PLATEN_OK {
			status = C.platen_pdf_add(pdf, &part, C.copies_of(document, i), &failed)
		}
	}
	if status == C.PLATEN_OK {
		status = C.platen_pdf_finish(pdf, &failed)
	}
	return failure(status, &failed)
}

// Describe draws all labels and tells what is on them and what is wrong with them.
func (e *Engine) Describe(ctx context.Context, code []byte, o Options) (*Description, error) {
	var text []byte
	err := e.document(ctx, code, o, true, func(worker *C.struct_platen_worker, document *C.struct_platen_document) error {
		var buffer C.struct_platen_buffer
		var failed C.struct_platen_error
		defer C.platen_buffer_free(&buffer)
		if err := failure(C.platen_describe(worker, document, nil, &buffer, &failed), &failed); err != nil {
			return err
		}
		var err error
		text, err = takeBytes(&buffer)
		return err
	})
	if err != nil {
		return nil, err
	}
	description := new(Description)
	return description, json.Unmarshal(text, description)
}

var shared struct {
	once   sync.Once
	engine *Engine
	err    error
}

// Render draws one label as PNG, by an engine that all callers share.
func Render(code []byte, o Options) ([]byte, error) {
	shared.once.Do(func() { shared.engine, shared.err = New(Limits{}) })
	if shared.err != nil {
		return nil, shared.err
	}
	return shared.engine.Render(context.Background(), code, PNG, o)
}
