package platen

// Description of label code, as of POST /api/render/json: the members that programs ask for.
type Description struct {
	Language          string
	WidthMM, HeightMM float64
	DPMM              float64
	WidthPx, HeightPx int
	Count             int
	Labels            []Label
	Warnings          []Finding // of all labels, and of what is outside of them
}

// Label is one of the labels, drawn.
type Label struct {
	Index, Copies int
	Data          []byte // PNG
	Elements      []Element
	Warnings      []Finding
}

// Element is a text, a barcode, a graphic or a shape of a label, in dots.
type Element struct {
	Type, Command       string
	X, Y, Width, Height int
	Rotation            int
	Data, Text          string
	Symbology           string
	ModuleDots          float64
	ModuleMM            float64
	QuietZoneOK         *bool
	InsideLabel         bool
	Decoded             *bool // with Verify: read back; nil: not a barcode, or not read
	DecodedData         string
	Reason              string // why it was not read
}

// Finding is something that is wrong, or that a printer would do otherwise.
type Finding struct {
	Code, Severity, Command, Message string
	Offset, Length                   int
	Label, Element                   *int
}
